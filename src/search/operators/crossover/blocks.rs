//! Whole blocks of genes, each from either parent by a fair coin.

use crate::problem::Blocks;

/// Writes two children; for every block `exchanged` says whether they take it crosswise.
pub(super) fn exchange(
    blocks: &Blocks,
    mut exchanged: impl FnMut() -> bool,
    parents: [&[u8]; 2],
    [c, d]: [&mut [u8]; 2],
) {
    for block in blocks.iter() {
        let [for_c, for_d] = if exchanged() { [parents[1], parents[0]] } else { parents };
        for gene in block.iter().map(|gene| usize::from(*gene)) {
            (c[gene], d[gene]) = (for_c[gene], for_d[gene]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_go_over_whole() {
        let mut blocks = Blocks::default();
        blocks.push([0, 3]);
        blocks.push([1, 2]);
        let (mut c, mut d, mut coins) = ([9; 4], [9; 4], [false, true].into_iter());
        let exchanged = || coins.next().expect("a coin a block");
        exchange(&blocks, exchanged, [&[0; 4], &[1; 4]], [&mut c, &mut d]);
        assert_eq!((c, d), ([0, 1, 1, 0], [1, 0, 0, 1]));
    }
}
