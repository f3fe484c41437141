//! Partition of view depth into fog slices.

/// Maximum number of fog slices, as in `shaders/layers/medium.wesl`.
pub const MOST_SLICES: u32 = 512;

/// The `slices` + 1 bounds of fog slices, view depths in metres: from `near` to `far` in a geometric progression.
///
/// Without slices the result is `[near]`, as there is no fog. Scene files are checked for `far` of at least 1.01 `near`.
/// `slices` must be at most [`MOST_SLICES`], so that no two bounds round to the same f32.
pub fn slice_bounds(near: f32, far: f32, slices: u32) -> Vec<f32> {
    let ratio = f64::from(far) / f64::from(near);
    let bound = |slice: u32| match slice {
        0 => near,
        last if last == slices => far,
        _ => {
            let part = f64::from(slice) / f64::from(slices);
            (f64::from(near) * ratio.powf(part)) as f32
        }
    };
    (0..=slices).map(bound).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_ascend_strictly_from_near_to_far() {
        for slices in [1, 2, 3, 4, 17, 64, 511, 512] {
            for (near, far) in [
                (0.1, 60.0),
                (1.0, 16.0),
                (0.001, 100_000.0),
                (0.001, 1e7),
                (5.0, 5.05),
            ] {
                let bounds = slice_bounds(near, far, slices);
                assert_eq!(bounds.len(), slices as usize + 1);
                assert_eq!((bounds[0], bounds[slices as usize]), (near, far));
                assert!(
                    bounds.windows(2).all(|pair| pair[0] < pair[1]),
                    "{bounds:?}"
                );
            }
        }
    }
}
