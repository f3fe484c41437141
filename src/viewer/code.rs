//! Cache of the compiled code of the methods shown.

use std::rc::Rc;

use crate::gpu::checks_shaders;
use crate::gpu::shader::ShaderSource;
use crate::methods::Specialization;
use crate::model::Capabilities;
use crate::runs::codegen::Sheet;

/// Maximum number of cached sheets: enough to switch between a few dials of two methods.
const MOST_KEPT: usize = 16;

/// A method's sheet, or the reason why there is none.
pub type SheetResult = Result<Rc<Sheet>, String>;

#[derive(Default)]
pub struct CodePage {
    source: ShaderSource,
    /// Sheets by variant key, newest last.
    kept: Vec<(String, SheetResult)>,
    made: usize,
}

impl CodePage {
    pub fn new(source: ShaderSource) -> Self {
        Self {
            source,
            ..Self::default()
        }
    }

    pub fn sheet(&mut self, caps: &Capabilities, of: &Specialization) -> SheetResult {
        let key = format!("{} {}", of.label(), of.variant(caps).key());
        if let Some((_, made)) = self.kept.iter().find(|kept| kept.0 == key) {
            return made.clone();
        }
        let made = Sheet::new(&self.source, caps, of, checks_shaders());
        let made = made.map(Rc::new).map_err(|error| error.to_string());
        self.made += 1;
        if self.kept.len() == MOST_KEPT {
            drop(self.kept.remove(0));
        }
        self.kept.push((key, made.clone()));
        made
    }

    pub fn made(&self) -> usize {
        self.made
    }
}
