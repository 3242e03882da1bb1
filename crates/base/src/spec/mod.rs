//! Specifications: a name and named values, each with its place in the file, and the parameters that they are checked
//! against.
//!
//! A table such as `{ name = "swap", rate = 0.02 }` becomes a [`Spec`]. A [`Family`] is a table of members, each with
//! its [`Param`]s. Resolving a spec against them checks every key, kind and range, and fills in the defaults.
//!
//! A kind of parameter is a variant of [`ParamKind`], what it takes in words beside it, and an arm of `accept`. **Invariant:**
//! a resolved spec has its keys in the order of the parameters, with every default: manifests and results hold it so.

mod defaults;
mod error;
mod family;
mod param;
mod resolve;
mod value;

pub use error::SpecError;
pub use family::{Builder, Family};
pub use param::{Catalog, DefaultValue, Member, Param, ParamKind};
pub use value::{Named, Place, Spec, Value};
// The rooms of kenga use these; their names may change.
#[doc(hidden)]
pub use {
    resolve::{MAX_EXACT, resolve, resolve_section},
    value::{Reading, record_reads},
};
