//! As many items as they share bits: what naked and hidden subsets and fish look for.

/// Calls `visit` with every choice of `size` items whose masks have `size` bits together, each mask of 2 to `size` bits: the
/// items, by their numbers, and the bits. Choices are in lexical order.
pub fn for_covers<I: Copy>(items: &[(I, u32)], size: u32, visit: &mut dyn FnMut(&[I], u32)) {
    let few: Vec<(I, u32)> =
        items.iter().copied().filter(|(_, mask)| (2..=size).contains(&mask.count_ones())).collect();
    if few.len() >= size as usize {
        choose(&few, size, 0, &mut Vec::with_capacity(size as usize), visit);
    }
}

fn choose<I: Copy>(
    items: &[(I, u32)],
    size: u32,
    union: u32,
    chosen: &mut Vec<I>,
    visit: &mut dyn FnMut(&[I], u32),
) {
    if chosen.len() == size as usize {
        return visit(chosen, union);
    }
    for (index, (item, mask)) in items.iter().enumerate() {
        let union = union | mask;
        if union.count_ones() <= size {
            chosen.push(*item);
            choose(&items[index + 1..], size, union, chosen, visit);
            chosen.pop();
        }
    }
}
