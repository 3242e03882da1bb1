//! Pairs of equal digits in distinct groups.
//!
//! The occurrences of a line's digits are summed in one 64-bit word, 4 bits a digit: adding the one-hot word of a cell
//! counts it, and the lane's value before the addition is the number of equal digits already there. That holds for up
//! to 16 digits and lines of up to 15 cells; others count in bytes.

use super::Term;

/// A cell index into a genome buffer; 8-bit indices into 256 bytes need no bounds check.
pub(super) trait Index: Copy + Send + Sync + 'static {
    /// What digits are read from.
    type Buffer: ?Sized;

    /// The index of a cell.
    fn of(cell: usize) -> Self;

    /// Reads a digit.
    fn read(self, buffer: &Self::Buffer) -> u8;
}

impl Index for u8 {
    type Buffer = [u8; 256];

    fn of(cell: usize) -> Self {
        Self::try_from(cell).expect("small problems have up to 256 cells")
    }

    #[inline(always)]
    fn read(self, buffer: &[u8; 256]) -> u8 {
        buffer[usize::from(self)]
    }
}

impl Index for u16 {
    type Buffer = [u8];

    fn of(cell: usize) -> Self {
        Self::try_from(cell).expect("problems have up to 65,536 cells")
    }

    #[inline(always)]
    fn read(self, buffer: &[u8]) -> u8 {
        buffer[usize::from(self)]
    }
}

/// Distinct groups of one length and one term, their cells one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lines<I> {
    /// The term that their pairs count for.
    pub(super) term: Term,
    /// These are all the lines of [`Problem::lines`](crate::problem::Problem::lines): their digits are all digits.
    pub(super) partition: bool,
    length: usize,
    packed: bool,
    cells: Vec<I>,
}

/// How often each digit occurs, summed over lines: bytes for the even digits and for the odd ones.
#[derive(Clone, Copy, Default)]
pub(super) struct Occurrences([u64; 2]);

impl Occurrences {
    const EVEN: u64 = 0x0f0f_0f0f_0f0f_0f0f;

    #[inline(always)]
    fn add(&mut self, nibbles: u64) {
        self.0[0] += nibbles & Self::EVEN;
        self.0[1] += (nibbles >> 4) & Self::EVEN;
    }

    /// Sum over the first `digits` digits of |occurrences - expected|.
    #[inline(always)]
    fn deviation(self, digits: usize, expected: u32) -> u32 {
        let lane = |digit: usize| (self.0[digit & 1] >> (digit / 2 * 8)) as u8;
        (0..digits).map(|digit| u32::from(lane(digit)).abs_diff(expected)).sum()
    }
}

impl<I: Index> Lines<I> {
    /// Collects groups of one length.
    pub(super) fn new(term: Term, partition: bool, digits: usize, groups: &[&[u16]]) -> Self {
        let length = groups[0].len();
        let cells =
            groups.iter().flat_map(|group| group.iter().map(|cell| I::of(usize::from(*cell)))).collect();
        let occurrences_fit = !partition || groups.len() * length <= 255;
        Self { term, partition, length, packed: digits <= 16 && length <= 15 && occurrences_fit, cells }
    }

    /// Pairs of equal digits over all the lines.
    #[inline]
    pub(super) fn pairs(&self, genome: &I::Buffer) -> u32 {
        self.scan(genome, 0, 0).0
    }

    /// Pairs of equal digits over all the lines, and sum over digits of |occurrences - expected|.
    #[inline]
    pub(super) fn pairs_and_count(&self, genome: &I::Buffer, digits: usize, expected: u32) -> (u32, u32) {
        self.scan(genome, digits, expected)
    }

    #[inline]
    fn scan(&self, genome: &I::Buffer, digits: usize, expected: u32) -> (u32, u32) {
        if !self.packed {
            return self.scan_bytes(genome, digits, expected);
        }
        let (pairs, occurrences) = match self.length {
            2 => self.scan_packed::<2>(genome),
            3 => self.scan_packed::<3>(genome),
            4 => self.scan_packed::<4>(genome),
            5 => self.scan_packed::<5>(genome),
            6 => self.scan_packed::<6>(genome),
            7 => self.scan_packed::<7>(genome),
            8 => self.scan_packed::<8>(genome),
            9 => self.scan_packed::<9>(genome),
            10 => self.scan_packed::<10>(genome),
            12 => self.scan_packed::<12>(genome),
            15 => self.scan_packed::<15>(genome),
            _ => return self.scan_bytes(genome, digits, expected),
        };
        (pairs, occurrences.deviation(digits, expected))
    }

    #[inline]
    fn scan_packed<const N: usize>(&self, genome: &I::Buffer) -> (u32, Occurrences) {
        let (mut pairs, mut occurrences) = (0, Occurrences::default());
        for line in self.cells.as_chunks::<N>().0 {
            let mut nibbles = 0u64;
            for cell in line {
                let shift = (u32::from(cell.read(genome)) * 4) & 63;
                pairs += (nibbles >> shift) & 15;
                nibbles += 1 << shift;
            }
            occurrences.add(nibbles);
        }
        (pairs as u32, occurrences)
    }

    fn scan_bytes(&self, genome: &I::Buffer, digits: usize, expected: u32) -> (u32, u32) {
        let (mut pairs, mut all) = (0, [0u32; 32]);
        for line in self.cells.chunks_exact(self.length) {
            let mut seen = [0u32; 32];
            for cell in line {
                let digit = usize::from(cell.read(genome)) & 31;
                pairs += seen[digit];
                seen[digit] += 1;
                all[digit] += 1;
            }
        }
        (pairs, all[..digits].iter().map(|occurrences| occurrences.abs_diff(expected)).sum())
    }
}
