//! Pseudo-random numbers that are equal on all machines: hashes of the purpose of each number.

/// The PCG hash of `shaders/common/random.wesl`, bit for bit (Jarzynski and Olano, "Hash Functions for GPU
/// Rendering", 2020).
pub fn pcg(value: u32) -> u32 {
    let state = value.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// Number `stream` of item `index` under `seed`: uniform in [0, 1), a multiple of 2⁻²⁴.
pub fn random(seed: u32, index: u32, stream: u32) -> f64 {
    let bits = pcg(pcg(pcg(seed) ^ index).wrapping_add(stream));
    f64::from(bits >> 8) / f64::from(1 << 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_same_for_ever() {
        assert_eq!(pcg(0), 129_708_002);
        assert_eq!(random(7, 5, 3), 0.868_241_131_305_694_6);
    }
}
