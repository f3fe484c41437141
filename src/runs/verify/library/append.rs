//! The check of ordered append. Items are in order within a wave, but waves may come in any order. A list is therefore
//! correct if it consists of the waves' runs, each complete and in lane order.

use super::cases::{Case, LaneInput, PLACES};
use super::table::Operation;

/// Number of workgroups that append to one list (`WORKGROUPS` of `shaders/check/append.wesl`).
pub const WORKGROUPS: usize = 4;

/// Capacity of a list in items. No lane has more than 8 items, including poisoned lanes.
pub const ROOM: usize = WORKGROUPS * PLACES * 8;

/// The run of items that each wave must have appended, in lane order.
pub fn runs(operation: Operation, case: &Case, width: u32) -> Vec<Vec<u32>> {
    let most = match operation {
        Operation::AppendOne => 1,
        _ => u32::MAX,
    };
    let lanes: Vec<(u32, &LaneInput)> = (0..).zip(&case.rows).collect();
    let run = |lanes: &[(u32, &LaneInput)]| {
        let is_active = |lane: u32| case.bits >> (lane % width) & 1 == 1;
        let active = lanes.iter().filter(|(lane, _)| is_active(*lane));
        let items = active.flat_map(|(lane, row)| (lane * 8..).take(row.items.min(most) as usize));
        items.collect()
    };
    lanes.chunks_exact(width as usize).map(run).collect()
}

/// Describes the fault in a list of `length` items that should consist of `runs`, with waves of `width` lanes.
/// `untouched` is the value behind the end of the list.
pub fn wrong(
    runs: &[Vec<u32>],
    width: u32,
    length: u32,
    list: &[u32],
    untouched: u32,
) -> Option<String> {
    let total: usize = runs.iter().map(Vec::len).sum();
    if length as usize != total || total > list.len() {
        return Some(format!("the list has {length} items, not {total}"));
    }
    let (items, behind) = list.split_at(total);
    if let Some(place) = behind.iter().position(|&word| word != untouched) {
        return Some(format!(
            "place {} behind the list is written",
            total + place
        ));
    }
    let mut seen = vec![false; runs.len()];
    let mut place = 0;
    while let Some(&item) = items.get(place) {
        let wave = (item / 8 / width) as usize;
        let Some((run, seen)) = runs.get(wave).zip(seen.get_mut(wave)) else {
            return Some(format!(
                "place {place} holds {item:#x}, which no lane appended"
            ));
        };
        if std::mem::replace(seen, true) || !items[place..].starts_with(run) {
            return Some(format!(
                "wave {wave} is not in one run, in lane order, at place {place}"
            ));
        }
        // A wave without items does not occur in a list. An empty run would stop the loop from advancing.
        place += run.len().max(1);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two waves of four lanes: items 0 and 2 of the first wave, then three items of lane 5 and one of lane 7 in the
    /// second.
    fn two_runs() -> Vec<Vec<u32>> {
        vec![vec![0, 16], vec![40, 41, 42, 56]]
    }

    fn verdict(length: u32, list: &[u32]) -> Option<String> {
        let mut room = [99; 8];
        room[..list.len()].copy_from_slice(list);
        wrong(&two_runs(), 4, length, &room, 99)
    }

    #[test]
    fn waves_may_come_in_any_order_and_lanes_may_not() {
        assert_eq!(verdict(6, &[0, 16, 40, 41, 42, 56]), None);
        assert_eq!(verdict(6, &[40, 41, 42, 56, 0, 16]), None);
        for list in [[16, 0, 40, 41, 42, 56], [0, 40, 16, 41, 42, 56]] {
            let text = verdict(6, &list).unwrap_or_default();
            assert!(text.contains("in lane order"), "{list:?}: {text}");
        }
    }

    #[test]
    fn a_lost_a_doubled_and_a_foreign_item_are_found() {
        let holds = |length, list: &[u32], part: &str| {
            let text = verdict(length, list).unwrap_or_default();
            assert!(text.contains(part), "{list:?}: {text}");
        };
        holds(5, &[0, 16, 40, 41, 42], "5 items, not 6");
        holds(6, &[0, 16, 0, 16, 42, 56], "in lane order");
        holds(6, &[0, 16, 40, 41, 42, 99], "in lane order");
        holds(6, &[99, 16, 40, 41, 42, 56], "which no lane appended");
        holds(6, &[0, 16, 40, 41, 42, 56, 7], "behind the list");
    }
}
