//! A thread per pixel (`shaders/methods/pixel_loop.wesl`).

use super::family::Family;

pub(super) struct PerPixel;

impl Family for PerPixel {}
