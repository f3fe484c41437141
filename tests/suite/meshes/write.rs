//! A writer of glTF files: numbers go into one buffer, and everything else is JSON that a test may change.

use base64::Engine as _;
use serde_json::{Value, json};

/// A glTF file under construction.
#[derive(Clone, Debug)]
pub struct Writer {
    /// The JSON, without the lengths of the buffer.
    pub json: Value,
    binary: Vec<u8>,
}

impl Writer {
    /// An empty file: a scene without nodes.
    pub fn new() -> Self {
        let json = json!({
            "asset": {"version": "2.0"},
            "scenes": [{"nodes": []}],
            "nodes": [], "meshes": [], "materials": [], "accessors": [], "bufferViews": [],
            "textures": [], "images": [], "samplers": [],
        });
        Self {
            json,
            binary: Vec::new(),
        }
    }

    /// Appends a value to a list in the JSON. Returns the index.
    pub fn add(&mut self, list: &str, value: Value) -> usize {
        let list = self.json[list].as_array_mut().expect("a list");
        list.push(value);
        list.len() - 1
    }

    /// Adds a view of bytes. Returns the index.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let view = json!({
            "buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len(),
        });
        self.binary.extend_from_slice(bytes);
        self.add("bufferViews", view)
    }

    /// Adds an accessor of `count` elements over a new view of bytes, with the given component type and shape.
    pub fn accessor(&mut self, bytes: &[u8], numbers: u32, count: usize, shape: &str) -> usize {
        let view = self.view(bytes);
        let accessor =
            json!({"bufferView": view, "componentType": numbers, "count": count, "type": shape});
        self.add("accessors", accessor)
    }

    /// Adds an accessor of bytes that represent numbers from 0 to 1, or from -1 to 1.
    pub fn normalized(&mut self, bytes: &[u8], numbers: u32, shape: &str) -> usize {
        let accessor = self.accessor(bytes, numbers, 3, shape);
        self.set(&format!("/accessors/{accessor}/normalized"), json!(true));
        accessor
    }

    /// Adds an accessor of floating-point vectors.
    pub fn floats<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        let shape = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        self.accessor(&bytes_of(rows.as_flattened()), 5126, rows.len(), shape)
    }

    /// Adds an accessor of indices of two bytes each.
    pub fn indices(&mut self, indices: &[u16]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.accessor(&bytes, 5123, indices.len(), "SCALAR")
    }

    /// Adds a mesh of one primitive and a root node that shows it. Returns the node.
    pub fn mesh(&mut self, primitive: Value) -> usize {
        let mesh = self.add("meshes", json!({"primitives": [primitive]}));
        self.root(json!({"mesh": mesh}))
    }

    /// Adds a root node to the scene. Returns the index.
    pub fn root(&mut self, node: Value) -> usize {
        let node = self.add("nodes", node);
        let roots = self.json["scenes"][0]["nodes"].as_array_mut();
        roots.expect("a list").push(json!(node));
        node
    }

    /// Adds a material whose colour comes from a texture.
    pub fn textured(&mut self, texture: usize) -> usize {
        let base = json!({"baseColorTexture": {"index": texture}});
        self.add("materials", json!({"pbrMetallicRoughness": base}))
    }

    /// Adds a node of one triangle with the given corners.
    pub fn triangle(&mut self, corners: [[f32; 3]; 3]) -> usize {
        let positions = self.floats(&corners);
        self.mesh(json!({"attributes": {"POSITION": positions}}))
    }

    /// Adds a square of two triangles in the plane z = 0 that faces +z, with the first texel at the top left.
    pub fn square(&mut self, half: f32, material: usize) -> usize {
        let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
        let positions = self.floats(&corners.map(|[x, y]| [x, y, 0.0]));
        let places = self.floats(&[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
        let indices = self.indices(&[0, 1, 2, 0, 2, 3]);
        self.mesh(json!({
            "attributes": {"POSITION": positions, "TEXCOORD_0": places},
            "indices": indices, "material": material,
        }))
    }

    /// Adds a texture with its picture in the buffer.
    pub fn texture(&mut self, width: u32, texels: &[[u8; 4]]) -> usize {
        let view = self.view(&png(width, texels));
        let image = json!({"bufferView": view, "mimeType": "image/png"});
        let image = self.add("images", image);
        self.add("textures", json!({"source": image}))
    }

    /// Sets the translation of a node.
    pub fn move_to(&mut self, node: usize, place: [impl Into<f64>; 3]) {
        let place = place.map(Into::<f64>::into);
        self.set(&format!("/nodes/{node}/translation"), json!(place));
    }

    /// Sets `value` at a JSON pointer such as `/nodes/0/scale`; null removes it.
    pub fn set(&mut self, pointer: &str, value: Value) -> &mut Self {
        let (at, key) = pointer.rsplit_once('/').expect("a place");
        let place = self.json.pointer_mut(at).expect("the place exists");
        match (place, value) {
            (Value::Object(object), Value::Null) => drop(object.remove(key)),
            (Value::Object(object), value) => drop(object.insert(key.to_owned(), value)),
            (Value::Array(list), value) => {
                list[key.parse::<usize>().expect("an index")] = value;
            }
            _ => panic!("{pointer} is not in a list or an object"),
        }
        self
    }

    /// Text of the JSON, with a buffer that has the given `uri`.
    fn text(&self, uri: Option<&str>) -> Vec<u8> {
        let mut json = self.json.clone();
        if json.is_object() && json["buffers"].is_null() {
            json["buffers"] = json!([{"byteLength": self.binary.len()}]);
            if let Some(uri) = uri {
                json["buffers"][0]["uri"] = json!(uri);
            }
        }
        serde_json::to_vec(&json).expect("JSON")
    }

    /// Bytes of the file as .glb.
    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.text(None);
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut binary = self.binary.clone();
        binary.resize(binary.len().next_multiple_of(4), 0);
        let word = |length: usize| (length as u32).to_le_bytes();
        let length = 12 + 8 + json.len() + 8 + binary.len();
        let mut bytes = [b"glTF".as_slice(), &word(2), &word(length)].concat();
        bytes.extend([word(json.len()).as_slice(), b"JSON", &json].concat());
        bytes.extend([word(binary.len()).as_slice(), b"BIN\0", &binary].concat());
        bytes
    }

    /// Bytes of the file as .gltf, with the buffer in a data URI.
    pub fn gltf(&self) -> Vec<u8> {
        let binary = base64::engine::general_purpose::STANDARD.encode(&self.binary);
        let uri = format!("data:application/octet-stream;base64,{binary}");
        self.text(Some(&uri))
    }

    /// Bytes of the file as .gltf with an external buffer, and the bytes of the buffer.
    pub fn apart(&self, name: &str) -> [Vec<u8>; 2] {
        [self.text(Some(name)), self.binary.clone()]
    }
}

/// A picture as PNG, with rows from top to bottom.
pub fn png(width: u32, texels: &[[u8; 4]]) -> Vec<u8> {
    let height = texels.len() as u32 / width;
    let bytes = texels.as_flattened().to_vec();
    let image = image::RgbaImage::from_raw(width, height, bytes).expect("whole rows");
    let mut png = std::io::Cursor::new(Vec::new());
    let written = image.write_to(&mut png, image::ImageFormat::Png);
    written.expect("memory");
    png.into_inner()
}

/// Floating-point numbers as file bytes.
pub fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}
