//! Named architectures, each with its source.
//!
//! ```
//! # fn main() -> Result<(), mfu::Error> {
//! use mfu::{Convention, catalog};
//!
//! let model = catalog::find("DeepSeek-V3")?;
//! println!("{}: {}", model.name(), model.source());
//! let cost = model.cost(Convention::EXACT)?;
//! # let _ = cost;
//!
//! // An unknown name is an error that lists the near ones, never a guess.
//! let error = catalog::find("llama-3-80b").unwrap_err();
//! assert!(error.to_string().contains("`llama-3-8b`"));
//! # Ok(())
//! # }
//! ```

mod table;

use crate::lookup::Registry;
use crate::{Architecture, Result};

/// A model of the catalog: an architecture with its names and its sources.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    name: &'static str,
    aliases: &'static [&'static str],
    source: &'static str,
    published: Published,
    build: fn() -> Result<Architecture>,
}

/// The parameter counts that a model's publishers print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Published {
    /// The total, as printed: `671B`.
    pub total: &'static str,
    /// The active parameters, as printed, and which of their three meanings they have.
    pub active: Option<(&'static str, Active)>,
    /// Where they are printed.
    pub source: &'static str,
}

/// What a published number of active parameters means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Active {
    /// Everything that a token touches: [`Parameters::active`](crate::Parameters::active).
    All,
    /// Without the input embedding:
    /// [`Parameters::active_without_embedding`](crate::Parameters::active_without_embedding).
    WithoutEmbedding,
    /// Without embedding and head:
    /// [`Parameters::active_without_embeddings`](crate::Parameters::active_without_embeddings).
    WithoutEmbeddings,
}

impl Model {
    /// Its name in this catalog.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Other names it is found by.
    #[must_use]
    pub const fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    /// Where its shape was found.
    #[must_use]
    pub const fn source(&self) -> &'static str {
        self.source
    }

    /// The parameter counts that its publishers print.
    #[must_use]
    pub const fn published(&self) -> Published {
        self.published
    }

    /// Its architecture.
    ///
    /// # Errors
    ///
    /// None for the models of this catalog, each of which is built in the tests.
    pub fn architecture(&self) -> Result<Architecture> {
        (self.build)()
    }
}

/// Every model of the catalog.
#[must_use]
pub fn all() -> &'static [Model] {
    table::MODELS
}

/// The model of that name or alias; case does not matter, and spaces and underscores are dashes.
///
/// # Errors
///
/// An unknown name is an error that lists the near ones.
pub fn find(name: &str) -> Result<Model> {
    const CATALOG: Registry = Registry {
        noun: "model",
        remedy: "`catalog::all` lists every model, and `Architecture::decoder` builds your own",
    };
    let entries = table::MODELS.iter().flat_map(|model| {
        let names = std::iter::once(model.name).chain(model.aliases.iter().copied());
        names.map(|known| (known, model.name, *model))
    });
    CATALOG.find(name, entries)
}
