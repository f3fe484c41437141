//! Numbers in text, as written by programs in any language and country.

pub fn number(word: &str) -> Option<f64> {
    word.parse().ok().or_else(|| in_other_words(word))
}

fn in_other_words(word: &str) -> Option<f64> {
    let word = word.to_ascii_lowercase();
    let (sign, size) = match word.strip_prefix('-') {
        Some(size) => (-1.0, size),
        None => (1.0, word.as_str()),
    };
    match size {
        _ if size.starts_with("1.#inf") || size == "∞" => Some(sign * f64::INFINITY),
        _ if size.starts_with("1.#") || size.starts_with("nan") => Some(f64::NAN),
        // Handles decimal commas, commas between numbers, and Fortran exponents.
        _ => {
            let size = size.trim_end_matches(',').replace(',', ".");
            size.replace('d', "e")
                .parse()
                .ok()
                .map(|size: f64| sign * size)
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The little-endian number at the start of `bytes`, which must be long enough.
    pub fn read(self, bytes: &[u8]) -> f64 {
        let mut number = [0; 8];
        number[..self.size()].copy_from_slice(&bytes[..self.size()]);
        let bits = u64::from_le_bytes(number);
        match self {
            Self::I8 => f64::from(bits as i8),
            Self::I16 => f64::from(bits as i16),
            Self::I32 => f64::from(bits as i32),
            Self::U8 | Self::U16 | Self::U32 => f64::from(bits as u32),
            Self::F32 => f64::from(f32::from_bits(bits as u32)),
            Self::F64 => f64::from_bits(bits),
        }
    }

    pub fn write(self, number: f64, to: &mut Vec<u8>) {
        let bits = match self {
            Self::I8 => number as i8 as u64,
            Self::U8 => u64::from(number as u8),
            Self::I16 => number as i16 as u64,
            Self::U16 => u64::from(number as u16),
            Self::I32 => number as i32 as u64,
            Self::U32 => u64::from(number as u32),
            Self::F32 => u64::from((number as f32).to_bits()),
            Self::F64 => number.to_bits(),
        };
        to.extend(&bits.to_le_bytes()[..self.size()]);
    }
}
