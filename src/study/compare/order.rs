//! Which setting is best: one order for tables, figures and verdicts.

use std::cmp::Ordering;

use crate::study::Side;

/// The sides from best to worst. Of times: a higher share solved, then a lower PAR-10, then a lower mean of the best
/// fitness; of anything else a lower mean, then a higher share. Where `blocks` says how many blocks a race gave each side,
/// those that stayed longer stand first.
pub fn order(sides: &[&Side], is_time: bool, blocks: Option<&[usize]>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sides.len()).collect();
    order.sort_by(|&a, &b| {
        let by_survival = blocks.map_or(Ordering::Equal, |blocks| blocks[b].cmp(&blocks[a]));
        by_survival.then_with(|| by_merit(sides[a], sides[b], is_time))
    });
    order
}

fn by_merit(a: &Side, b: &Side, is_time: bool) -> Ordering {
    let by_share = b.share.value.total_cmp(&a.share.value);
    let par10 = |side: &Side| side.par10.map_or(f64::INFINITY, |par10| par10.value);
    let by_fitness = || a.fitness.total_cmp(&b.fitness);
    match is_time {
        true => by_share.then(par10(a).total_cmp(&par10(b))).then_with(by_fitness),
        false => a.mean.total_cmp(&b.mean).then(by_share),
    }
}
