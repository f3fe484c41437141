//! The part of a glTF file's JSON that the program uses. Indices are unchecked; code that uses an index checks it.
//!
//! Structs and fields are named as in the glTF 2.0 specification (Khronos Group, 2021).

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::json;
use super::uri::data_of;
use crate::model::files::{bail, ensure};
use crate::model::samples::distinct;

/// Maximum number of objects in the JSON: each takes about a hundred bytes once read.
const MOST_OBJECTS: usize = 1_000_000;

/// Declares objects of the JSON. Every member may be missing.
macro_rules! objects {
    ($($(#[$meta:meta])* pub struct $object:ident { $($members:tt)* })+) => {$(
        #[derive(Debug, Default, Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        $(#[$meta])*
        pub struct $object { $($members)* }
    )+};
}

objects! {
    /// Contents of a file except for buffers and pictures.
    pub struct Document {
        pub asset: Option<Asset>,
        pub extensions_used: Vec<String>,
        pub extensions_required: Vec<String>,
        pub scene: Option<usize>,
        pub scenes: Vec<Root>,
        pub nodes: Vec<Node>,
        pub meshes: Vec<Mesh>,
        pub accessors: Vec<Accessor>,
        pub buffer_views: Vec<View>,
        pub buffers: Vec<Buffer>,
        pub materials: Vec<Material>,
        pub textures: Vec<Texture>,
        pub images: Vec<Image>,
        pub samplers: Vec<Sampler>,
        pub animations: Vec<IgnoredAny>,
        pub cameras: Vec<IgnoredAny>,
        pub skins: Vec<Skin>,
        /// Number of values such as `NaN` in the JSON.
        #[serde(skip)]
        pub unset: usize,
        /// Number of members that are followed by another member with the same name.
        #[serde(skip)]
        pub repeated: usize,
    }

    /// A scene, given by its top-level nodes.
    pub struct Root {
        pub nodes: Vec<usize>,
    }

    pub struct Node {
        pub children: Vec<usize>,
        pub mesh: Option<usize>,
        pub skin: Option<usize>,
        /// Column-major.
        pub matrix: Option<Box<[f64; 16]>>,
        pub translation: Option<[f64; 3]>,
        pub rotation: Option<[f64; 4]>,
        pub scale: Option<[f64; 3]>,
        pub weights: Option<Vec<f32>>,
        pub extensions: NodeExtensions,
    }

    pub struct NodeExtensions {
        #[serde(rename = "EXT_mesh_gpu_instancing")]
        pub instances: Option<Instances>,
        #[serde(rename = "KHR_node_visibility")]
        pub visibility: Value,
    }

    /// Instances of a node's mesh, one per element of the attributes.
    pub struct Instances {
        pub attributes: BTreeMap<String, usize>,
    }

    /// Nodes that move the vertices of a mesh.
    pub struct Skin {
        pub joints: Vec<usize>,
        pub inverse_bind_matrices: Option<usize>,
    }

    pub struct Mesh {
        pub primitives: Vec<Primitive>,
        pub weights: Vec<f32>,
    }

    pub struct Primitive {
        pub attributes: BTreeMap<String, usize>,
        pub indices: Option<usize>,
        pub material: Option<usize>,
        pub mode: Option<u64>,
        pub extensions: PrimitiveExtensions,
        /// Morph targets: each adds its attributes, times a weight, to the base attributes.
        pub targets: Vec<BTreeMap<String, usize>>,
    }

    pub struct PrimitiveExtensions {
        #[serde(rename = "KHR_gaussian_splatting")]
        pub gaussians: Option<Gaussians>,
        #[serde(rename = "KHR_materials_variants")]
        pub variants: Option<IgnoredAny>,
    }

    /// Extension that turns the points of a primitive into Gaussians.
    pub struct Gaussians {
        pub kernel: Option<String>,
        pub color_space: Option<String>,
        pub sorting_method: Option<String>,
    }

    pub struct Material {
        pub name: Option<String>,
        pub pbr_metallic_roughness: Pbr,
        pub normal_texture: Option<IgnoredAny>,
        pub occlusion_texture: Option<IgnoredAny>,
        pub emissive_texture: Option<TextureInfo>,
        pub emissive_factor: [f32; 3],
        pub alpha_mode: Option<String>,
        pub alpha_cutoff: Option<f32>,
        pub double_sided: bool,
        pub extensions: MaterialExtensions,
    }

    pub struct MaterialExtensions {
        #[serde(rename = "KHR_materials_unlit")]
        pub unlit: Option<IgnoredAny>,
        #[serde(rename = "KHR_materials_emissive_strength")]
        pub strength: Option<EmissiveStrength>,
        #[serde(rename = "KHR_materials_pbrSpecularGlossiness")]
        pub glossy: Option<Pbr>,
        #[serde(rename = "KHR_materials_transmission")]
        pub transmission: Option<Transmission>,
    }

    pub struct EmissiveStrength {
        pub emissive_strength: Option<f32>,
    }

    pub struct Transmission {
        pub transmission_factor: f32,
        pub transmission_texture: Option<IgnoredAny>,
    }

    pub struct TextureInfoExtensions {
        #[serde(rename = "KHR_texture_transform")]
        pub transform: Option<TextureTransform>,
    }

    pub struct Texture {
        pub sampler: Option<usize>,
        pub source: Option<usize>,
        /// Pictures in formats outside core glTF, such as `EXT_texture_webp`.
        pub extensions: BTreeMap<String, OtherSource>,
    }

    pub struct OtherSource {
        pub source: Option<usize>,
    }

    pub struct Image {
        pub uri: Option<String>,
        pub buffer_view: Option<usize>,
        pub mime_type: Option<String>,
    }

    pub struct Sampler {
        pub mag_filter: Option<u64>,
        pub wrap_s: Option<u64>,
        pub wrap_t: Option<u64>,
    }
}

/// Versions are text or, in violation of the specification, numbers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Asset {
    version: Value,
    min_version: Option<Value>,
}

/// A file of glTF 1.0, where objects have names instead of numbers.
#[derive(Deserialize)]
struct FirstVersion {
    meshes: BTreeMap<String, IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u64,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
pub struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub byte_length: u64,
    pub uri: Option<String>,
}

/// Also holds the values of `KHR_materials_pbrSpecularGlossiness`, which have other names in the file.
#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Pbr {
    #[serde(alias = "diffuseFactor")]
    pub base_color_factor: [f32; 4],
    #[serde(alias = "diffuseTexture")]
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: f32,
    pub metallic_roughness_texture: Option<IgnoredAny>,
}

impl Default for Pbr {
    fn default() -> Self {
        Self {
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            metallic_roughness_texture: None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureInfo {
    pub index: usize,
    #[serde(default)]
    pub tex_coord: u32,
    #[serde(default)]
    pub extensions: TextureInfoExtensions,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, rename_all = "camelCase")]
pub struct TextureTransform {
    pub offset: [f32; 2],
    pub rotation: f32,
    pub scale: Option<[f32; 2]>,
    pub tex_coord: Option<u32>,
}

const KNOWN: [&str; 11] = [
    "EXT_mesh_gpu_instancing",
    "EXT_texture_webp",
    "KHR_gaussian_splatting",
    "KHR_materials_emissive_strength",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_mesh_quantization",
    "KHR_node_visibility",
    "KHR_texture_transform",
];

const BY_GLTF_TRANSFORM: &str =
    "`gltf-transform copy IN.glb OUT.glb` (npm @gltf-transform/cli) undoes compression";
/// Extensions without which the mesh cannot be read, and remedies.
const COMPRESSED: [(&str, &str); 3] = [
    ("EXT_meshopt_compression", BY_GLTF_TRANSFORM),
    ("KHR_draco_mesh_compression", BY_GLTF_TRANSFORM),
    (
        "KHR_meshopt_compression",
        "`gltfpack -noq -i IN.glb -o OUT.glb` (npm gltfpack) undoes compression",
    ),
];

/// Remedy for an extension, if the extension is for compression.
pub fn undoes(extension: &str) -> Option<&'static str> {
    let known = COMPRESSED.iter().find(|(name, _)| *name == extension);
    known.map(|(_, what)| *what)
}

impl Document {
    pub fn parse(json: &[u8]) -> Result<Self, String> {
        let objects = json.iter().filter(|byte| **byte == b'{').count();
        ensure!(
            objects <= MOST_OBJECTS,
            "its JSON has {objects} objects; the limit is {MOST_OBJECTS}"
        );
        let (json, unset, repeated) = json::mended(json)?;
        let mut document: Self = serde_json::from_slice(&json).map_err(|error| {
            match serde_json::from_slice::<FirstVersion>(&json) {
                Ok(first) if !first.meshes.is_empty() => of_first_version("1.0"),
                _ => format!("its JSON: {error}"),
            }
        })?;
        (document.unset, document.repeated) = (unset, repeated);
        document.check_version()?;
        let mut required = document.extensions_required.iter();
        if let Some((name, what)) = required.find_map(|name| Some((name, undoes(name)?))) {
            bail!("its meshes are compressed ({name}); {what}");
        }
        Ok(document)
    }

    /// Unsupported extensions of the file, in alphabetical order.
    pub fn unknown_extensions(&self) -> Vec<&str> {
        let names = self.extensions_used.iter().chain(&self.extensions_required);
        let names = names.map(String::as_str);
        distinct(names.filter(|name| !KNOWN.contains(name)))
    }

    /// True if the document names no other files.
    pub fn is_whole(&self) -> bool {
        let buffers = self.buffers.iter().map(|buffer| &buffer.uri);
        let images = self.images.iter().map(|image| &image.uri);
        let mut names = buffers.chain(images).flatten();
        names.all(|uri| data_of(uri).is_some())
    }

    fn check_version(&self) -> Result<(), String> {
        let asset = (self.asset.as_ref()).ok_or("its JSON is not glTF: `asset` is missing")?;
        let text = |version: &Value| version.to_string().trim_matches('"').to_owned();
        let version = text(&asset.version);
        match version.split('.').next() {
            Some("2") => {}
            Some("0" | "1") => return Err(of_first_version(&version)),
            _ => bail!("it is glTF {version}; 2.0 can be read"),
        }
        match asset.min_version.as_ref().map(text).as_deref() {
            None | Some("2" | "2.0") => Ok(()),
            Some(least) => bail!("it needs a reader of glTF {least}; 2.0 can be read"),
        }
    }
}

/// Error for a file of glTF 1.0, which is a different format.
pub fn of_first_version(version: &str) -> String {
    format!(
        "it is glTF {version}; 2.0 can be read; \
         `gltf-pipeline -i IN.gltf -o OUT.gltf` (npm gltf-pipeline) makes that of it"
    )
}

pub fn missing(list: &str, index: usize) -> String {
    format!("{list}[{index}] is referenced but missing")
}
