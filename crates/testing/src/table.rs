//! Entries say what a user needs to know, in the words that a configuration can use.

use kenga_core::search::encodings::ENCODINGS;
use kenga_core::spec::{Catalog, Member, Place, SpecError};
use kenga_core::table::is_snake_case;

use super::setup::{defaults, has_defaults, resolve, spec};

/// What the entry of a member says is there, sound and in words.
pub(super) fn check(family: &dyn Catalog, member: &Member) {
    let label = format!("{} `{}`", family.family(), member.name);
    assert!(
        !member.about.is_empty() && !member.source.is_empty(),
        "{label} says what it does, and its source"
    );
    for (index, param) in member.params.iter().enumerate() {
        let label = format!("{label}, parameter `{}`", param.name);
        assert!(is_snake_case(param.name), "{label}: a name is of lower-case letters, digits and `_`");
        assert!(!param.about.is_empty() && !param.expected().is_empty(), "{label} says what it means");
        assert!(member.params[..index].iter().all(|other| other.name != param.name), "{label} stands twice");
    }
    for encoding in member.encodings {
        assert!(
            ENCODINGS.member(encoding).is_some(),
            "{label} names the encoding `{encoding}`, which there is not"
        );
    }
    if has_defaults(member) {
        let resolved = defaults(family, member);
        assert_eq!(resolve(family, &resolved), resolved, "{label}: defaults resolve to themselves");
    }
    // A slip of one letter leads to the member that was meant.
    let error = family.resolve(&spec(&format!("{}x", member.name), &[]), Place::default());
    let Err(SpecError::UnknownName { known, .. }) = error else { panic!("{label}: {error:?}") };
    assert_eq!(known[0], member.name, "{label}: the name nearest to `{}x`", member.name);
}
