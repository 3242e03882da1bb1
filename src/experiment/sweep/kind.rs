//! What a key takes, by the tables of families.

use crate::spec::{Kind, Param};

/// The key takes real numbers, in whatever member of a family it stands.
pub(super) fn is_real(key: &str, params: &[Param]) -> bool {
    let kinds = kinds(key, params);
    !kinds.is_empty() && kinds.iter().all(|kind| matches!(kind, Kind::Real(..) | Kind::Scheduled(..)))
}

/// What the key takes in every member that has it; which of them it will be is for other keys to say.
fn kinds(key: &str, params: &[Param]) -> Vec<Kind> {
    let (head, rest) = key.split_once('.').map_or((key, None), |(head, rest)| (head, Some(rest)));
    let kind = params.iter().find(|param| param.name == head).map(|param| param.kind);
    match (kind, rest) {
        (Some(kind), None) => vec![kind],
        (Some(Kind::Section(params)), Some(rest)) => kinds(rest, params),
        (Some(Kind::Member(family)), Some(rest)) => {
            family.members().into_iter().flat_map(|member| kinds(rest, member.params)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::config::CONFIG;
    use super::*;

    #[test]
    fn keys_are_real_by_their_tables() {
        for key in ["algorithm.mutation.rate", "algorithm.crossover.rate", "budget.seconds"] {
            assert!(is_real(key, CONFIG), "{key}");
        }
        for key in ["algorithm.population", "budget.moves", "algorithm.nothing", "nothing", "algorithm"] {
            assert!(!is_real(key, CONFIG), "{key}");
        }
    }
}
