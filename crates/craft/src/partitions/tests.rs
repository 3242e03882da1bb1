//! Known counts, and lists compared with those of a naive recursion.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;

fn sum(number: u64) -> Query {
    Query::new(Fold::Sum, number, None)
}

fn product(number: u64) -> Query {
    Query::new(Fold::Product, number, None)
}

fn counted(query: &Query) -> u128 {
    query.count(&mut || false).expect("it can be counted").expect("it never stops")
}

fn listed(query: &Query) -> Vec<Vec<u64>> {
    let mut multisets = query.multisets().expect("it can be listed");
    let mut list = Vec::new();
    while let Some(parts) = multisets.next(&mut || false) {
        list.push(parts.to_vec());
    }
    assert!(multisets.next(&mut || false).is_none());
    list
}

/// Every ascending list of wanted parts, extended while it does not exceed what is wanted.
fn naive(query: &Query) -> Vec<Vec<u64>> {
    fn extend(query: &Query, parts: &mut Vec<u64>, found: &mut Vec<Vec<u64>>) {
        let made: u64 = match query.fold {
            Fold::Sum => parts.iter().sum(),
            Fold::Product => parts.iter().product(),
        };
        if query.cells.map_or(made == query.number, |cells| parts.len() == cells) {
            if made == query.number {
                found.push(parts.clone());
            }
            return;
        }
        let may_vanish = query.fold == Fold::Product && query.number == 0 && query.cells.is_some();
        if made > query.number && !may_vanish {
            return;
        }
        for part in query.min..=query.max {
            let fits =
                parts.last().is_none_or(|last| if query.distinct { part > *last } else { part >= *last });
            if fits && !query.without.contains(&part) {
                parts.push(part);
                extend(query, parts, found);
                parts.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend(query, &mut Vec::new(), &mut found);
    found
}

#[test]
fn partitions_are_as_many_as_is_known() {
    for (number, count) in [(0, 1), (1, 1), (7, 15), (20, 627), (50, 204_226), (100, 190_569_292)] {
        assert_eq!(counted(&sum(number)), count, "{number}");
    }
    assert_eq!(counted(&sum(1000)), 24_061_467_864_032_622_473_692_149_727_991);
    assert_eq!(listed(&sum(20)).len(), 627);
    assert_eq!(
        listed(&sum(5)),
        [
            vec![1, 1, 1, 1, 1],
            vec![1, 1, 1, 2],
            vec![1, 1, 3],
            vec![1, 2, 2],
            vec![1, 4],
            vec![2, 3],
            vec![5]
        ]
    );
}

#[test]
fn factorisations_are_as_many_as_is_known() {
    let known = [
        1, 1, 1, 2, 1, 2, 1, 3, 2, 2, 1, 4, 1, 2, 2, 5, 1, 4, 1, 4, 2, 2, 1, 7, 2, 2, 3, 4, 1, 5, 1, 7, 2, 2,
        2, 9, 1, 2, 2, 7, 1, 5, 1, 4, 4, 2, 1, 12, 2, 4,
    ];
    for (number, count) in (1..).zip(known) {
        assert_eq!(counted(&product(number)), count, "{number}");
        assert_eq!(listed(&product(number)).len() as u128, count, "{number}");
    }
    for (number, count) in [(72, 16), (720, 98), (5040, 392), (362_880, 11_830)] {
        assert_eq!((counted(&product(number)), listed(&product(number)).len() as u128), (count, count));
    }
    for (number, max, count) in [(72, 9, 9), (4050, 9, 5), (5040, 9, 13), (453_600, 16, 326)] {
        let query = Query { max, ..product(number) };
        assert_eq!((counted(&query), listed(&query).len() as u128), (count, count));
    }
}

#[test]
fn tables_of_cages_are_those_that_are_known() {
    let cells = |fold, number, cells| Query { max: 9, ..Query::new(fold, number, Some(cells)) };
    let twenty = Query { distinct: true, without: vec![8, 9], ..cells(Fold::Sum, 20, 4) };
    assert_eq!(listed(&twenty), [[2, 5, 6, 7], [3, 4, 6, 7]]);
    assert_eq!(listed(&cells(Fold::Product, 28, 2)), [[4, 7]]);
    let seventy_two = cells(Fold::Product, 72, 4);
    let table = [
        [1, 1, 8, 9],
        [1, 2, 4, 9],
        [1, 2, 6, 6],
        [1, 3, 3, 8],
        [1, 3, 4, 6],
        [2, 2, 2, 9],
        [2, 2, 3, 6],
        [2, 3, 3, 4],
    ];
    assert_eq!(listed(&seventy_two), table);
    assert_eq!(listed(&Query { distinct: true, ..seventy_two }), [[1, 2, 4, 9], [1, 3, 4, 6]]);
    assert_eq!(listed(&cells(Fold::Product, 4050, 5)), [[2, 5, 5, 9, 9], [3, 5, 5, 6, 9]]);
    let wide = Query { max: 16, ..cells(Fold::Product, 453_600, 6) };
    assert_eq!((listed(&wide).len(), counted(&wide)), (45, 45));
}

#[test]
fn the_sums_of_kakuro_are_as_many_as_is_known() {
    let query =
        |cells, number| Query { max: 9, distinct: true, ..Query::new(Fold::Sum, number, Some(cells)) };
    let counts: Vec<usize> =
        (2..=9).flat_map(|cells| (1..=45).map(move |number| listed(&query(cells, number)).len())).collect();
    assert_eq!(counts.iter().filter(|count| **count > 0).count(), 120);
    assert_eq!((counts.iter().sum::<usize>(), counts.iter().max()), (502, Some(&12)));
    assert_eq!((counted(&query(4, 20)), counted(&query(5, 25)), counted(&query(9, 45))), (12, 12, 1));
}

#[test]
fn what_never_ends_or_does_not_fit_is_refused() {
    let endless = |fold, least| Err(QueryError::Endless { fold, least });
    assert_eq!(Query { min: 0, ..sum(5) }.multisets().map(drop), endless(Fold::Sum, 0));
    assert_eq!(Query { min: 1, ..product(6) }.multisets().map(drop), endless(Fold::Product, 1));
    assert_eq!(Query { min: 1, ..product(6) }.count(&mut || false).map(drop), endless(Fold::Product, 1));
    for cells in [0, MOST_PARTS + 1] {
        let query = Query::new(Fold::Sum, 5, Some(cells));
        assert_eq!(query.multisets().map(drop), Err(QueryError::Cells { cells }));
    }
    assert_eq!(sum(u64::MAX).multisets().map(drop), Err(QueryError::Long { parts: u64::MAX }));
    assert!(matches!(sum(u64::MAX).count(&mut || false), Err(QueryError::Table { .. })));
    let wide = Query { max: 1 << 40, ..Query::new(Fold::Sum, 1 << 41, Some(3)) };
    assert!(matches!(wide.count(&mut || false), Err(QueryError::Table { .. })));
    assert_eq!(sum(10_000).count(&mut || false), Err(QueryError::Overflow));
    let zeros = Query { min: 0, max: 255, ..Query::new(Fold::Product, 0, Some(1000)) };
    assert_eq!(zeros.count(&mut || false), Err(QueryError::Overflow));
}

#[test]
fn great_numbers_are_listed_and_counted_without_effort() {
    let half = u64::MAX / 2;
    let query = Query { min: half - 2, ..Query::new(Fold::Sum, u64::MAX, Some(2)) };
    assert_eq!(listed(&query), [[half - 2, half + 3], [half - 1, half + 2], [half, half + 1]]);
    let query = Query::new(Fold::Sum, 3_000_000, Some(3));
    assert_eq!(counted(&query), 750_000_000_000);
    let query = Query { distinct: true, ..query };
    assert_eq!(counted(&query), 750_000_000_000 - 1_500_000 + 1);
    let ones = Query::new(Fold::Product, 6, Some(MOST_PARTS));
    assert_eq!((counted(&ones), listed(&ones).len()), (2, 2));
    let ones = Query { max: 2, ..Query::new(Fold::Sum, MOST_PARTS as u64 + 1, Some(MOST_PARTS)) };
    assert_eq!((counted(&ones), listed(&ones).len()), (1, 1));
    assert_eq!(listed(&product(18_446_744_073_709_551_557)), [[18_446_744_073_709_551_557]]);
    assert_eq!(counted(&product(1 << 63)), counted(&sum(63)));
}

#[test]
fn a_cut_stops_and_a_list_goes_on_after_it() {
    assert_eq!(sum(100).count(&mut || true), Ok(None));
    assert_eq!(product(100).count(&mut || true), Ok(None));
    let mut multisets = sum(9).multisets().expect("it can be listed");
    let (mut polls, mut list) = (0, Vec::new());
    while list.len() < 30 {
        polls += 1;
        let mut once = polls % 3;
        let mut cut = || std::mem::replace(&mut once, 0) == 0;
        if let Some(parts) = multisets.next(&mut cut) {
            list.push(parts.to_vec());
        }
    }
    assert_eq!(list, listed(&sum(9)));
}

fn queries() -> impl Strategy<Value = Query> {
    let fold = prop_oneof![Just(Fold::Sum), Just(Fold::Product)];
    (fold, 0u64..40, option::of(1usize..6), 0u64..4, 0u64..14, any::<bool>(), vec(0u64..14, 0..5)).prop_map(
        |(fold, number, cells, min, max, distinct, without)| {
            let least = if cells.is_some() { 0 } else { neutral(fold) + 1 };
            Query { fold, number, cells, min: min.max(least), max, distinct, without }
        },
    )
}

proptest! {
    #[test]
    fn lists_are_those_of_a_naive_recursion(query in queries()) {
        let expected = naive(&query);
        prop_assert_eq!(counted(&query), expected.len() as u128);
        prop_assert_eq!(listed(&query), expected);
    }

    #[test]
    fn sums_of_wanted_parts_are_never_tried_in_vain(number in 1u64..60, cells in option::of(1usize..8), min in 1u64..6, max in 1u64..60, distinct: bool) {
        let query = Query { min, max, distinct, ..Query::new(Fold::Sum, number, cells) };
        let mut steps = 0u64;
        let mut multisets = query.multisets().expect("it can be listed");
        let mut longest = 0;
        let mut count = 0;
        while let Some(parts) = multisets.next(&mut || { steps += 1; false }) {
            longest = longest.max(parts.len() as u64);
            count += 1;
        }
        // A step for every part added and taken away, and one to see that there is none.
        prop_assert!(steps <= count * 2 * longest + 1, "{} steps for {} of {}", steps, count, longest);
    }
}
