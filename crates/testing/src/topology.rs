//! Topologies name islands that exist, each once.

use kenga_core::search::operators::topology::{TOPOLOGY, Topology};
use kenga_core::spec::Spec;

/// The topology of a setting.
///
/// # Panics
/// When its parameters are wrong.
pub fn build(setting: &Spec) -> Box<dyn Topology> {
    TOPOLOGY.build(setting).unwrap_or_else(|error| panic!("topology {}: {error}", setting.name))
}

/// Who sends to whom, for every sender.
pub fn all_targets(topology: &dyn Topology, islands: usize) -> Vec<Vec<usize>> {
    (0..islands).map(|from| topology.targets(from, islands)).collect()
}

/// Nobody sends to itself, to strangers, or twice.
pub(super) fn check(settings: &[Spec]) {
    for setting in settings {
        let topology = build(setting);
        for islands in (1..=20).filter(|islands| topology.check(*islands).is_ok()) {
            let all = all_targets(&*topology, islands);
            assert_eq!(all, all_targets(&*topology, islands), "topology {}", setting.name);
            for (from, targets) in all.iter().enumerate() {
                for (index, target) in targets.iter().enumerate() {
                    let label = format!("topology {}, {from} of {islands}: {targets:?}", setting.name);
                    let known = *target < islands && *target != from;
                    assert!(known && !targets[..index].contains(target), "{label}");
                }
            }
        }
    }
}
