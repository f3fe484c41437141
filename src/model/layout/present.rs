use super::gpu_struct;

/// Mode for a picture that stands in for a larger one: its pixels are interpolated.
pub const ENLARGED: u32 = 12;

gpu_struct! {
    /// `Present` of `shaders/inspect/present.wesl`: the displayed picture.
    PresentUniform {
        /// Top left corner of the picture in the window, physical pixels.
        origin: [f32; 2],
        /// Picture pixels per window pixel.
        scale: [f32; 2],
        size: [u32; 2],
        /// View to show, in the order of the app's list of views; or [`ENLARGED`].
        mode: u32,
        /// Position of the split in picture pixels from the left; beyond the width for no split.
        split: f32,
        amplify: f32,
        /// Low end of the colour scale: a value of a debug view, or the exponent of a difference.
        low: f32,
        /// High end of the colour scale.
        high: f32,
        unused: u32,
        /// Colours of the scale, evenly spaced from the low to the high end: sRGB, 0…1; the fourth component is unused.
        ramp: [[f32; 4]; 10],
    }
}
