//! The order of unsorted lists: the twin of `shaders/common/unsorted_item.wesl`.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsorted {
    /// Numbers of items and fog slices in the frame.
    pub counts: [u32; 2],
    pub shuffled: bool,
}

impl Unsorted {
    /// Place of an item or slice among all items and slices.
    pub fn place(self, number: u32, is_slice: bool) -> u32 {
        let [items, slices] = self.counts;
        let number = number.saturating_add(if is_slice { items } else { 0 });
        let count = items.saturating_add(slices);
        match self.shuffled && number < count {
            true => place_of(number, count),
            false => number,
        }
    }
}

/// Place of a number after a shuffle of 0 … `count`: the shader's steps in reverse.
fn place_of(number: u32, count: u32) -> u32 {
    let bits = (32 - (count - 1).leading_zeros()).max(2);
    let mask = u32::MAX >> (32 - bits);
    let mut place = number;
    loop {
        for _ in 0..3 {
            // XOR with a copy shifted by at least half the bits undoes itself.
            place ^= place >> bits.div_ceil(2);
            place = place.wrapping_mul(inverse(0x9e37_79b1)).wrapping_sub(1) & mask;
        }
        if place < count {
            return place;
        }
    }
}

/// Inverse of an odd number modulo 2³², and so modulo any smaller power of two. Newton's iteration doubles the number
/// of correct bits; an odd number is its own inverse in three bits.
fn inverse(odd: u32) -> u32 {
    (0..4).fold(odd, |inverse, _| {
        inverse.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(inverse)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_taken_once_and_slices_come_last_unless_shuffled() {
        let mut lists = Unsorted {
            counts: [5, 3],
            shuffled: false,
        };
        assert_eq!([lists.place(4, false), lists.place(0, true)], [4, 5]);
        for counts in [[1, 0], [2, 1], [5, 3], [1000, 64]] {
            lists.counts = counts;
            lists.shuffled = true;
            let items = (0..counts[0]).map(|number| lists.place(number, false));
            let slices = (0..counts[1]).map(|number| lists.place(number, true));
            let mut places: Vec<u32> = items.chain(slices).collect();
            assert!(counts[0] < 1000 || !places.is_sorted());
            places.sort_unstable();
            assert!(
                places.into_iter().eq(0..counts[0] + counts[1]),
                "{counts:?}"
            );
        }
    }
}
