use std::collections::BTreeMap;

use crate::model::Feature;
use crate::model::constant::Constant;
use crate::model::techniques::Technique;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variant {
    /// Path below `shaders/`, without extension: `methods/pixel_loop`.
    pub module: &'static str,
    pub constants: Vec<(&'static str, Constant)>,
    pub features: Vec<Feature>,
}

impl Variant {
    pub fn new(module: &'static str) -> Self {
        Self {
            module,
            ..Self::default()
        }
    }

    pub fn with(mut self, name: &'static str, value: u32) -> Self {
        self.constants.push((name, Constant::U32(value)));
        self
    }

    pub fn with_bool(mut self, name: &'static str, value: bool) -> Self {
        self.constants.push((name, Constant::Bool(value)));
        self
    }

    pub fn with_f32(mut self, name: &'static str, value: f32) -> Self {
        self.constants.push((name, Constant::F32(value)));
        self
    }

    /// Adds the constants and features of a technique's kernel.
    pub fn of(mut self, technique: &dyn Technique) -> Self {
        self.constants.extend(technique.constants());
        self.features.extend(technique.features());
        self
    }

    pub fn feature(mut self, feature: Feature, on: bool) -> Self {
        if on {
            self.features.push(feature);
        }
        self
    }

    /// Label of modules and pipelines, similar to a file name: `methods.pixel_loop.wgsl`.
    pub fn label(&self) -> String {
        format!("{}.wgsl", self.module.replace('/', "."))
    }

    /// Unique name for caches and messages.
    pub fn key(&self) -> String {
        let constants = self.constants.iter().map(|(name, value)| match value {
            Constant::U32(value) => format!(" {name}={value}"),
            Constant::Bool(value) => format!(" {name}={value}"),
            Constant::F32(value) => format!(" {name}={value}"),
        });
        let features = self.features.iter();
        let features = features.map(|feature| format!(" +{}", feature.name()));
        self.module.to_owned() + &constants.chain(features).collect::<String>()
    }

    /// Text of the module `package::variant`, which contains the constants.
    pub(in crate::gpu) fn constants_module(&self) -> String {
        let constant = |(name, value): &(&str, Constant)| match value {
            Constant::U32(value) => format!("const {name}: u32 = {value}u;\n"),
            Constant::Bool(value) => format!("const {name}: bool = {value};\n"),
            Constant::F32(value) => format!("const {name}: f32 = {value:?}f;\n"),
        };
        self.constants.iter().map(constant).collect()
    }
}

/// Texts of files by module path, as in [`Variant::module`].
pub type Texts = BTreeMap<String, String>;

pub type Hashes = BTreeMap<String, u64>;
