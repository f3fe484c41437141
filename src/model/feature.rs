//! Compile-time features of shaders.

macro_rules! features {
    ($($(#[$doc:meta])* $feature:ident = $name:literal,)*) => {
        /// Compile-time features of shaders: the conditions in their `@if`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Feature {
            $($(#[$doc])* $feature,)*
        }

        impl Feature {
            pub const ALL: &[Feature] = &[$(Feature::$feature,)*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Feature::$feature => $name,)*
                }
            }
        }
    };
}

features! {
    Wave = "wave",
    /// Opcodes that WGSL lacks replace marked functions.
    Native = "native",
    /// Lanes are read with broadcasts instead of shuffles.
    Broadcast = "broadcast",
    /// An fma rounds once.
    Fused = "fused",
    Half = "half",
    /// The exclusive prefix product is inclusive / (1 - t).
    Division = "division",
    /// The exclusive prefix product is formed from max(1 - t, 1e-5).
    Guarded = "guarded",
    /// A wave composites four pixels side by side.
    Four = "four",
    /// Threads skip layers that miss their part of the tile.
    Patches = "patches",
    UniformTables = "uniform_tables",
    ValuesOnly = "values_only",
    Sheets = "sheets",
    Gaussians = "gaussians",
    /// Gaussians from files are the only items in the frame.
    GaussiansAlone = "gaussians_alone",
    HalfSplats = "half_splats",
    /// The frame has models from files.
    Materials = "materials",
    Slices = "slices",
    /// Fog is integrated: layers are seen through fog, but fog is not a layer.
    Integrated = "integrated",
    Solids = "solids",
    ByDistance = "by_distance",
    /// Gaussians from some files were trained with a Mip-Splatting filter.
    Mip = "mip",
    ListOrder = "list_order",
    /// The method depends on the order of layers.
    Ordered = "ordered",
    Shuffled = "shuffled",
    Unsorted = "unsorted",
    /// The method reads coarse lists, or the shader makes them.
    Coarse = "coarse",
    /// The method reads lists in any order, or the shader makes them.
    AnyLists = "any_lists",
    /// Coarse lists are ordered by depth from another camera.
    OrderCamera = "order_camera",
    /// A histogram spans the depths of all items of the frame.
    FrameRange = "frame_range",
    /// The method composites one section of the frame at a time.
    Section = "section",
    /// Several threads share a pixel.
    SharedPixels = "shared_pixels",
    SharedBins = "shared_bins",
    /// The method accumulates sums over several frames.
    Accumulated = "accumulated",
    /// Entries of macro tiles store their tiles.
    EntryTiles = "entry_tiles",
    Table = "table",
    /// Layers are Gaussians of the case `cloud`.
    Cloud = "cloud",
    Synthetic = "synthetic",
    Particles = "particles",
    FogSlices = "fog_slices",
    /// Each synthetic layer is cheap or procedural, at random.
    MixedLayers = "mixed_layers",
    Textured = "textured",
    Procedural = "procedural",
    F16 = "f16",
    F32 = "f32",
    I32 = "i32",
    U32 = "u32",
}
