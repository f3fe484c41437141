//! The curve between linear light and sRGB (IEC 61966-2-1).

/// Linear light, 0 to 1, of an encoded value, 0 to 1.
#[must_use]
pub fn linear_from_srgb(value: f64) -> f64 {
    if value <= 0.04045 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}

/// The encoded value, 0 to 1, of linear light, 0 to 1.
#[must_use]
pub fn srgb_from_linear(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}
