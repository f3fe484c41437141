//! Shaders: WESL modules with imports and variants, embedded in the binary and overridable from a
//! folder, resolved to one WGSL text per variant.
//!
//! A variant is a module name, constants (they appear as module `package::variant`) and features
//! (for `@if(feature)`). Constants are baked into the text, so the same text serves pipelines that
//! go through wgpu and those whose SPIR-V we patch ourselves.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::PathBuf;

use include_dir::{Dir, include_dir};
use wesl::{CompileOptions, Features, ManglerKind, ModulePath, Resolver, Wesl};

use crate::error::{Error, Result};

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/shaders");

/// A constant of a variant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// `const NAME: u32 = …u;`
    U32(u32),
    /// `const NAME: bool = …;`
    Bool(bool),
}

/// One shader in one variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variant {
    /// Module path below `shaders/`, without extension: `composite/pixel_loop`.
    pub module: &'static str,
    /// Constants, in the order they are written.
    pub constants: Vec<(&'static str, Constant)>,
    /// Features that are on.
    pub features: Vec<&'static str>,
}

impl Variant {
    /// The module without constants or features.
    pub fn new(module: &'static str) -> Self {
        Self {
            module,
            ..Self::default()
        }
    }

    /// Adds a `u32` constant.
    pub fn with(mut self, name: &'static str, value: u32) -> Self {
        self.constants.push((name, Constant::U32(value)));
        self
    }

    /// Adds a `bool` constant.
    pub fn with_bool(mut self, name: &'static str, value: bool) -> Self {
        self.constants.push((name, Constant::Bool(value)));
        self
    }

    /// Switches a feature on if `on`.
    pub fn feature(mut self, name: &'static str, on: bool) -> Self {
        if on {
            self.features.push(name);
        }
        self
    }

    /// The label of modules and pipelines: `pixel_loop.wgsl`-like file name without the folder.
    pub fn label(&self) -> String {
        format!("{}.wgsl", self.module.replace('/', "."))
    }

    /// A name that tells variants apart, for caches and messages.
    pub fn key(&self) -> String {
        let mut key = self.module.to_owned();
        for (name, value) in &self.constants {
            let _ = match value {
                Constant::U32(value) => write!(key, " {name}={value}"),
                Constant::Bool(value) => write!(key, " {name}={value}"),
            };
        }
        for feature in &self.features {
            let _ = write!(key, " +{feature}");
        }
        key
    }

    fn constants_module(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.constants {
            let _ = match value {
                Constant::U32(value) => writeln!(text, "const {name}: u32 = {value}u;"),
                Constant::Bool(value) => writeln!(text, "const {name}: bool = {value};"),
            };
        }
        text
    }
}

/// A planted fault: a textual edit of one shader file.
#[derive(Clone, Copy, Debug)]
pub struct Edit {
    /// Module path of the file, as in [`Variant::module`].
    pub module: &'static str,
    /// Text to find; it must be there.
    pub find: &'static str,
    /// What to put in its place.
    pub replace: &'static str,
}

/// Where shader sources come from.
#[derive(Clone, Debug, Default)]
pub struct ShaderSource {
    /// Files here win over the embedded ones.
    pub folder: Option<PathBuf>,
    /// Faults planted on purpose (`verify --break`).
    pub edits: Vec<Edit>,
}

impl ShaderSource {
    /// The text of one file, from the folder if it is there, else the embedded one.
    ///
    /// # Errors
    /// No such file, unreadable, or an edit that no longer applies (exit code 2 or 1).
    pub fn file(&self, module: &str) -> Result<String> {
        let name = format!("{module}.wesl");
        let on_disk = self.folder.as_ref().map(|folder| folder.join(&name));
        let mut text = match on_disk {
            Some(path) if path.exists() => std::fs::read_to_string(&path).map_err(|error| {
                Error::usage(format!("cannot read shader {}: {error}", path.display()))
            })?,
            _ => EMBEDDED
                .get_file(&name)
                .and_then(|file| file.contents_utf8())
                .ok_or_else(|| Error::failed(format!("there is no shader {name}")))?
                .to_owned(),
        };
        for edit in self.edits.iter().filter(|edit| edit.module == module) {
            if !text.contains(edit.find) {
                return Err(Error::failed(format!(
                    "the fault cannot be planted: shaders/{name} does not contain `{}`",
                    edit.find
                )));
            }
            text = text.replace(edit.find, edit.replace);
        }
        Ok(text)
    }

    /// The WGSL of a variant: imports resolved, and everything stripped that `entries` (names of
    /// entry points or other declarations of the module) do not use.
    ///
    /// # Errors
    /// The module or one of its imports does not parse or resolve; names the variant (exit 1).
    pub fn resolve(&self, variant: &Variant, entries: &[&str]) -> Result<String> {
        let resolver = ModuleResolver {
            source: self,
            constants: variant.constants_module(),
        };
        let mut compiler = Wesl::new_barebones().set_custom_resolver(resolver);
        let mut features = Features::default();
        for feature in &variant.features {
            features
                .flags
                .insert((*feature).to_owned(), wesl::Feature::Enable);
        }
        features.default = wesl::Feature::Disable;
        compiler
            .set_options(CompileOptions {
                validate: false,
                features,
                keep: Some(entries.iter().map(|entry| (*entry).to_owned()).collect()),
                ..CompileOptions::default()
            })
            .use_sourcemap(true)
            .set_mangler(ManglerKind::None);
        let path: ModulePath = format!("package::{}", variant.module.replace('/', "::"))
            .parse()
            .map_err(|error| Error::failed(format!("shader path {}: {error}", variant.module)))?;
        let compiled = compiler.compile(&path).map_err(|error| {
            let message = without_escapes(&error.to_string());
            Error::failed(format!("shader {}: {message}", variant.key()))
        })?;
        Ok(compiled.to_string())
    }

    /// Paths of all embedded shader files (without extension), sorted.
    pub fn modules() -> Vec<String> {
        let mut names = Vec::new();
        collect(&EMBEDDED, &mut names);
        names.sort();
        names
    }
}

/// Text without terminal colour codes (ESC [ … m), which the WESL compiler puts into its messages.
fn without_escapes(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or("", |code| code.1));
    }
    plain
}

fn collect(dir: &Dir, names: &mut Vec<String>) {
    for file in dir.files() {
        let path = file.path().to_string_lossy();
        if let Some(name) = path.strip_suffix(".wesl") {
            names.push(name.to_owned());
        }
    }
    for dir in dir.dirs() {
        collect(dir, names);
    }
}

struct ModuleResolver<'a> {
    source: &'a ShaderSource,
    constants: String,
}

impl Resolver for ModuleResolver<'_> {
    fn resolve_source<'a>(&'a self, path: &ModulePath) -> Result<Cow<'a, str>, wesl::ResolveError> {
        if path.components == ["variant"] {
            return Ok(Cow::Borrowed(&self.constants));
        }
        self.source
            .file(&path.components.join("/"))
            .map(Cow::Owned)
            .map_err(|error| wesl::ResolveError::ModuleNotFound(path.clone(), error.to_string()))
    }

    fn display_name(&self, path: &ModulePath) -> Option<String> {
        Some(format!("shaders/{}.wesl", path.components.join("/")))
    }
}
