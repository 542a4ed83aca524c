//! Documents whose generated parts are compared with what the code says.

/// What a document has between the marks of that name.
pub fn between<'d>(document: &'d str, name: &str) -> &'d str {
    let mark = document.find(&format!("<!-- {name}:")).unwrap();
    let begin = mark + document[mark..].find("-->").unwrap() + "-->".len();
    let end = document.find(&format!("<!-- /{name} -->")).unwrap();
    document[begin..end].trim()
}

/// Whether that is what the code says.
pub fn is_current(document: &str, name: &str, expected: &str) {
    assert!(
        between(document, name) == expected,
        "what the document says of {name} is stale; it should be\n\n{expected}\n"
    );
}
