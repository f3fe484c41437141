//! Options as files have them: what a file names and this version does not have is left out.

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::{FrameOptions, MethodOptions};
use crate::model::flag_value::{FlagValue, Name};

/// Options that a file has by the names of their fields.
pub(super) trait Fields: Default {
    /// Takes the value of a field of this name; returns it in words if it is left out.
    fn take<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        map: &mut A,
    ) -> Result<Option<String>, A::Error>;
}

/// Takes the value of the option of this name, if it still has that value.
pub(super) fn take_value<'de, T: FlagValue, A: MapAccess<'de>>(
    option: &mut T,
    name: &str,
    map: &mut A,
) -> Result<Option<String>, A::Error> {
    match T::next_in(map)? {
        Ok(value) => {
            *option = value;
            Ok(None)
        }
        Err(Name(value)) => Ok(Some(format!("{name} {value}"))),
    }
}

/// Passes over the value of an option that there is not, of this name.
pub(super) fn leave_out<'de, A: MapAccess<'de>>(
    name: &str,
    map: &mut A,
) -> Result<Option<String>, A::Error> {
    map.next_value::<IgnoredAny>()?;
    Ok(Some(name.to_owned()))
}

/// Options of a file, and what is left out.
#[derive(Default)]
pub(super) struct Read<T> {
    pub options: T,
    left_out: Vec<String>,
}

impl<'de, T: Fields> Visitor<'de> for Read<T> {
    type Value = Self;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("options by their names")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(Name(name)) = map.next_key()? {
            self.left_out.extend(self.options.take(&name, &mut map)?);
        }
        Ok(self)
    }
}

impl<'de, T: Fields> Deserialize<'de> for Read<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let nothing = Read {
            options: T::default(),
            left_out: Vec::new(),
        };
        deserializer.deserialize_struct("", &[], nothing)
    }
}

/// The options of a file that this version does not have.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct LeftOut {
    frame: Read<FrameOptions>,
    method: Read<MethodOptions>,
}

impl LeftOut {
    /// A line that names them, if there are any.
    pub fn line(&self) -> Option<String> {
        let names = [&*self.frame.left_out, &*self.method.left_out].concat();
        (!names.is_empty()).then(|| {
            let names = names.join(", ");
            format!("options that this version does not have are left out: {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::options::{Hazard, Options};

    #[test]
    fn an_option_or_a_value_that_is_gone_is_left_out_and_named() {
        let text = "(frame: (tile: 16, sharpness: [(a: 1)]), \
                    method: (hazard: r#division-guarded, glitter: pink, estimate: sparkling, bins: 32))";
        let options: Options = ron::from_str(text).expect("it opens");
        let expected = Options::default()
            .with_frame(|frame| frame.tile = 16)
            .with_method(|method| (method.hazard, method.bins) = (Hazard::DivisionGuarded, 32));
        assert_eq!(options, expected);
        let left_out: LeftOut = ron::from_str(text).expect("it opens");
        let line = left_out.line().expect("a line");
        assert!(
            line.ends_with(": sharpness, glitter, estimate sparkling"),
            "{line}"
        );
        let whole = ron::to_string(&options).expect("RON");
        assert_eq!(ron::from_str::<Options>(&whole).expect("it opens"), options);
        let left_out: LeftOut = ron::from_str(&whole).expect("it opens");
        assert_eq!(left_out.line(), None);
        // What is no value at all is an error.
        assert!(ron::from_str::<Options>("(method: (bins: many))").is_err());
    }
}
