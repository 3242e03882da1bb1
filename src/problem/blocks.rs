//! Lists of lists in one flat array.

/// Lists of indices, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    ends: Vec<usize>,
    items: Vec<u16>,
}

impl Blocks {
    /// Appends a list.
    pub fn push(&mut self, items: impl IntoIterator<Item = u16>) {
        self.items.extend(items);
        self.ends.push(self.items.len());
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// There is no list.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One list.
    pub fn get(&self, index: usize) -> &[u16] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.items[start..self.ends[index]]
    }

    /// All lists in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.len()).map(|index| self.get(index))
    }
}
