//! Constants that shaders are compiled with.

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    U32(u32),
    Bool(bool),
    F32(f32),
}

impl From<u32> for Constant {
    fn from(value: u32) -> Self {
        Self::U32(value)
    }
}

impl From<bool> for Constant {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f32> for Constant {
    fn from(value: f32) -> Self {
        Self::F32(value)
    }
}
