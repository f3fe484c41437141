//! Options in files. Unknown names and values are left out.

use serde::Deserialize;

use super::frame::FrameOptions;
use super::method::MethodOptions;
use super::rows::Read;

/// Options of a file that this version does not have.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct LeftOut {
    frame: Read<FrameOptions>,
    method: Read<MethodOptions>,
}

impl LeftOut {
    /// A line that names the options left out, if there are any.
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
            .with_method(|method| {
                (method.hazard, method.histogram.bins) = (Hazard::DivisionGuarded, 32)
            });
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
        // Values of a wrong type are an error.
        assert!(ron::from_str::<Options>("(method: (bins: many))").is_err());
    }
}
