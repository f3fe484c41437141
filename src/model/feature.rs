//! What shaders are compiled with or without.

/// Declares the features, each by its name in shaders.
macro_rules! features {
    ($($(#[$doc:meta])* $feature:ident = $name:literal,)*) => {
        /// What shaders are compiled with or without: the conditions of their `@if`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Feature {
            $($(#[$doc])* $feature,)*
        }

        impl Feature {
            pub const ALL: &[Feature] = &[$(Feature::$feature,)*];

            /// Its name in shaders.
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
    /// Opcodes that WGSL lacks take the place of marked functions.
    Native = "native",
    /// A lane is read by a broadcast instead of a shuffle.
    Broadcast = "broadcast",
    /// An fma rounds once.
    Fused = "fused",
    Half = "half",
    /// The exclusive prefix product is inclusive / (1 - t).
    Division = "division",
    /// The exclusive prefix product is of max(1 - t, 1e-5).
    Guarded = "guarded",
    /// A wave composites four pixels side by side.
    Four = "four",
    /// Threads skip the layers that miss their part of the tile.
    Patches = "patches",
    /// Small tables are uniforms.
    UniformTables = "uniform_tables",
    /// A probe reads values alone.
    ValuesOnly = "values_only",
    /// The frame has panes.
    Sheets = "sheets",
    Gaussians = "gaussians",
    /// The frame has Gaussians of files and nothing else.
    GaussiansAlone = "gaussians_alone",
    /// Items are stored in half floats.
    HalfSplats = "half_splats",
    /// The frame has models of files.
    Materials = "materials",
    /// Lists hold fog slices.
    Slices = "slices",
    /// Fog is integrated: layers are seen through it, and it is none of them.
    Integrated = "integrated",
    Solids = "solids",
    ByDistance = "by_distance",
    /// Gaussians of some files were trained with a filter as in Mip-Splatting.
    Mip = "mip",
    ListOrder = "list_order",
    /// Methods go by what layers are in order of.
    Ordered = "ordered",
    Shuffled = "shuffled",
    Unsorted = "unsorted",
    /// A method reads coarse lists, or they are made.
    Coarse = "coarse",
    /// A method reads lists in any order, or they are made.
    AnyLists = "any_lists",
    /// Coarse lists are in order of depths from another camera.
    OrderCamera = "order_camera",
    /// A histogram is over the depths of all items of the frame.
    FrameRange = "frame_range",
    /// A method composites a section of the frame at a time.
    Section = "section",
    /// Several threads have the same pixel.
    SharedPixels = "shared_pixels",
    /// Pixels of a block share the bins of a histogram.
    SharedBins = "shared_bins",
    /// A method adds up the sums of several frames.
    Accumulated = "accumulated",
    /// Entries of macro tiles know their tiles.
    EntryTiles = "entry_tiles",
    Table = "table",
    /// Layers are Gaussians of the case `cloud`.
    Cloud = "cloud",
    /// Layers are made up.
    Synthetic = "synthetic",
    /// Made-up layers are particles.
    Particles = "particles",
    /// Made-up layers are fog slices.
    FogSlices = "fog_slices",
    /// Made-up layers are either, at random.
    MixedLayers = "mixed_layers",
    Textured = "textured",
    Procedural = "procedural",
    F16 = "f16",
    F32 = "f32",
    I32 = "i32",
    U32 = "u32",
}
