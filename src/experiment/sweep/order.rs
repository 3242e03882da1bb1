//! In which order the axes of a sweep are laid over a configuration.

use super::axis::Axis;

/// Every axis behind those whose tables hold its key, which would sweep it away, and behind those that its condition asks
/// for; `None` where axes wait for each other.
pub(super) fn order(axes: &[Axis]) -> Option<Vec<usize>> {
    let waits = |axis: usize, other: usize| {
        let (axis, other) = (&axes[axis], &axes[other]);
        let asks = axis.when.iter().any(|condition| condition.asks(&other.key));
        is_inside(&axis.key, &other.key) || axis.key != other.key && asks
    };
    let mut order: Vec<usize> = Vec::with_capacity(axes.len());
    while order.len() < axes.len() {
        let is_free = |axis: &usize| {
            !order.contains(axis)
                && (0..axes.len()).all(|other| order.contains(&other) || !waits(*axis, other))
        };
        order.push((0..axes.len()).find(is_free)?);
    }
    Some(order)
}

/// The key stands in the table of the other.
pub(super) fn is_inside(key: &str, table: &str) -> bool {
    key.strip_prefix(table).is_some_and(|rest| rest.starts_with('.'))
}
