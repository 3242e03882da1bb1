//! Islands that migrants join, directly or by way of others.

/// The islands of every component, in ascending order, first the component of the first island.
///
/// Whom an island sends to says nothing of who comes back; that islands are taken together although some only send is
/// never too little.
pub(super) fn components(targets: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut component: Vec<usize> = (0..targets.len()).collect();
    for (from, to) in targets.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to))) {
        let (kept, gone) = (component[from].min(component[to]), component[from].max(component[to]));
        component.iter_mut().filter(|component| **component == gone).for_each(|component| *component = kept);
    }
    let members = |wanted: usize| (0..targets.len()).filter(|island| component[*island] == wanted).collect();
    (0..targets.len()).filter(|island| component[*island] == *island).map(members).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrants_join_islands_whichever_way_they_go() {
        let joined =
            |targets: &[&[usize]]| components(&targets.iter().map(|to| to.to_vec()).collect::<Vec<_>>());
        assert_eq!(joined(&[&[], &[], &[]]), [[0], [1], [2]]);
        assert_eq!(joined(&[&[1], &[2], &[0]]), [[0, 1, 2]]);
        assert_eq!(joined(&[&[3], &[], &[1], &[], &[0]]), [vec![0, 3, 4], vec![1, 2]]);
        assert_eq!(joined(&[&[], &[3], &[0], &[2]]), [[0, 1, 2, 3]]);
    }
}
