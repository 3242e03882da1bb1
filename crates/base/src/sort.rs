//! One sort for cold code.
//!
//! The standard library compiles its sort anew for every type and every comparison, some twenty functions each time. Most
//! sorts order a few names or rows once a command, where that buys nothing. Here the sort itself is compiled once: it sorts
//! indices by a comparison behind a pointer. What is hot, or sorts millions, uses the standard library.

use std::cmp::Ordering;

/// Sorts by a comparison, stably.
///
/// # Panics
/// May panic where the comparison is no total order, as the sort of the standard library does.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    // Generic code ends here: only the comparison and the swaps are compiled for each type.
    let swaps = swaps(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    apply(items, &swaps);
}

/// Sorts by a key, stably. The key is computed in each comparison.
///
/// # Panics
/// May panic where the order of the keys is not total.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    let swaps = swaps(items.len(), &mut |a, b| key(&items[a]).cmp(&key(&items[b])));
    apply(items, &swaps);
}

/// Makes the swaps, of each place with the one given for it, in the order of places.
fn apply<T>(items: &mut [T], swaps: &[usize]) {
    for (place, other) in swaps.iter().enumerate() {
        items.swap(place, *other);
    }
}

/// The swaps that sort items which are compared by index.
fn swaps(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut swaps: Vec<usize> = (0..len).collect();
    // Indices are equal to none, so that a stable sort of them is a stable sort of the items.
    swaps.sort_by(|a, b| compare(*a, *b));
    for place in 0..len {
        // An item from an earlier place has been swapped away, to where that place's swap says.
        let mut from = swaps[place];
        while from < place {
            from = swaps[from];
        }
        swaps[place] = from;
    }
    swaps
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use proptest::prelude::*;

    use super::*;

    /// Items with few different keys, each with the place where it was.
    fn items(keys: &[u8]) -> Vec<(u8, usize)> {
        keys.iter().copied().zip(0..).collect()
    }

    fn check(keys: &[u8]) {
        let (mut found, mut expected) = (items(keys), items(keys));
        sort_by(&mut found, |a, b| a.0.cmp(&b.0));
        expected.sort_by_key(|item| item.0);
        assert_eq!(found, expected);
        sort_by_key(&mut found, |item| Reverse(item.0));
        expected.sort_by_key(|item| Reverse(item.0));
        assert_eq!(found, expected);
    }

    #[test]
    fn none_one_and_equal_items_stay_as_they_are() {
        for keys in [&[][..], &[7], &[7, 7], &[7; 100]] {
            let mut sorted = items(keys);
            sort_by_key(&mut sorted, |item| item.0);
            assert_eq!(sorted, items(keys));
        }
    }

    #[test]
    fn texts_are_sorted_in_place() {
        let mut texts = ["d", "a", "c", "b"].map(str::to_owned);
        sort_by(&mut texts, Ord::cmp);
        assert_eq!(texts, ["a", "b", "c", "d"]);
    }

    proptest! {
        #[test]
        fn few_different_keys_are_sorted_as_by_the_standard_library(keys in prop::collection::vec(0..4_u8, 0..200)) {
            check(&keys);
        }

        #[test]
        fn permutations_are_sorted_as_by_the_standard_library(
            keys in Just((0..100_u8).collect::<Vec<u8>>()).prop_shuffle()
        ) {
            check(&keys);
        }
    }
}
