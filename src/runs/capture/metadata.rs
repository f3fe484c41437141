//! Text metadata of every picture: its content, and the command that makes it again.

use crate::gpu::shader::provenance::{COMMIT, Provenance};
use crate::model::methods::Method;
use crate::model::settings::{Settings, names};
use crate::report::range::DifferenceRange;

impl Settings {
    /// Text metadata of a picture: program, [`Settings::facts`], shaders, methods, reference and difference range, and
    /// the command that makes the picture again. It contains no folder names. The command must run in the folder of the
    /// scene file, if there is one.
    pub fn metadata(
        &self,
        methods: &[Method],
        reference: Option<Method>,
        range: Option<DifferenceRange>,
        shaders: &Provenance,
    ) -> Vec<(String, String)> {
        let mut texts = vec![(
            "Software".to_owned(),
            format!("wavelerp {}", env!("CARGO_PKG_VERSION")),
        )];
        texts.push(("commit".to_owned(), COMMIT.to_owned()));
        texts.extend(self.facts());
        texts.push(("shaders".to_owned(), shaders.digest.clone()));
        texts.push(("methods".to_owned(), names(methods)));
        let mut command = self.published().command("capture", methods);
        if let Some(reference) = reference {
            texts.push(("reference".to_owned(), reference.name().to_owned()));
            command += &format!(" --reference {reference}");
        }
        if let Some(range) = range {
            texts.push(("difference range".to_owned(), range.to_string()));
            command += &format!(" --difference-range {range}");
        }
        texts.push(("command".to_owned(), command + &shaders.flag()));
        texts
    }
}
