//! Tables of what real implementations were measured to hold and do, as `tests/data` keeps them.
#![allow(dead_code, reason = "each test binary reads a part of this")]

/// One line of a table, its fields by the names of their columns.
pub struct Line {
    columns: Vec<&'static str>,
    fields: Vec<&'static str>,
}

impl Line {
    pub fn text(&self, name: &str) -> &'static str {
        self.fields[self.columns.iter().position(|column| *column == name).unwrap()]
    }

    pub fn number(&self, name: &str) -> u128 {
        self.text(name).parse().unwrap()
    }

    /// Query-key pairs, layer by layer, from `88x3+136x1`: three layers of 88 and one of 136.
    pub fn pairs(&self) -> Vec<u128> {
        let runs = self.text("pairs").split('+').map(|run| run.split_once('x').unwrap());
        runs.flat_map(|(pairs, layers)| vec![pairs.parse().unwrap(); layers.parse().unwrap()]).collect()
    }
}

/// The lines of a table of comma-separated values, without its comments and its header.
pub fn lines(table: &'static str) -> Vec<Line> {
    let mut lines = table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect::<Vec<_>>());
    let columns = lines.next().unwrap();
    let line = |fields: Vec<&'static str>| {
        assert_eq!(fields.len(), columns.len(), "{fields:?}");
        Line { columns: columns.clone(), fields }
    };
    lines.map(line).collect()
}
