//! Topologies name islands that exist.

use kenga::search::operators::topology::TOPOLOGY;

use crate::setup::settings;

#[test]
fn nobody_sends_to_itself_to_strangers_or_twice() {
    for setting in settings(&TOPOLOGY) {
        let topology = TOPOLOGY.build(&setting);
        for (islands, from) in (1..=20).flat_map(|islands| (0..islands).map(move |from| (islands, from))) {
            let targets = topology.targets(from, islands);
            assert_eq!(targets, topology.targets(from, islands), "{}", setting.name);
            for (index, target) in targets.iter().enumerate() {
                let label = format!("{} {from} of {islands}: {targets:?}", setting.name);
                assert!(
                    *target < islands && *target != from && !targets[..index].contains(target),
                    "{label}"
                );
            }
        }
    }
}
