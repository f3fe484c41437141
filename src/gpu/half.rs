//! Half floats, as the textures that hold them: 1 sign, 5 exponent, 10 mantissa bits.

/// The bits of the half next to `value`, towards zero. Numbers below 2⁻¹⁴ become 0, those from 65 536
/// on the largest half.
#[must_use]
pub fn half_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = ((bits >> 16) & 0x8000) as u16;
    let exponent = ((bits >> 23) & 0xff) as i32 - 127 + 15;
    match exponent {
        ..=0 => sign,
        31.. => sign | 0x7bff,
        _ => sign | (exponent as u16) << 10 | ((bits >> 13) & 0x3ff) as u16,
    }
}

/// The number that a half's bits stand for; those of infinities and NaN are not looked for.
#[must_use]
pub fn half_value(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from((bits >> 10) & 31);
    let mantissa = f32::from(bits & 0x3ff) / 1024.0;
    match exponent {
        0 => sign * mantissa * 2f32.powi(-14),
        _ => sign * (1.0 + mantissa) * 2f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_normal_half_comes_back() {
        for bits in (0x0400..0x7c00).chain(0x8400..0xfc00) {
            assert_eq!(half_bits(half_value(bits)), bits);
        }
        assert_eq!(half_value(0x3c00), 1.0);
        assert_eq!(half_value(0xc000), -2.0);
        assert_eq!(half_value(0x0001), 2f32.powi(-24));
    }

    #[test]
    fn what_a_half_cannot_hold_comes_towards_zero() {
        assert_eq!(half_bits(1.0009), 0x3c00);
        assert_eq!(half_bits(1.0 + 1.0 / 1024.0), 0x3c01);
        assert_eq!(half_bits(1e-6), 0);
        assert_eq!(half_value(half_bits(1e9)), 65_504.0);
    }
}
