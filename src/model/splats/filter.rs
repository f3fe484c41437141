//! Filters for Gaussians smaller than a pixel, and detection of a file's filter.

use crate::model::flag_value::flag_values;

flag_values! {
    /// Opacity of Gaussians widened on the screen by `splat_dilation`.
    pub enum SplatFilter {
        /// Opacity of the file, as in the first training programs: distant Gaussians look larger than they are.
        #[default]
        Classic,
        /// Opacity reduced by as much as the dilation enlarges the Gaussian, as in Mip-Splatting.
        Mip,
    }
}

impl SplatFilter {
    pub const IN_WORDS: [(Self, &str); 2] = [
        (Self::Classic, "opacities as in the file"),
        (
            Self::Mip,
            "small Gaussians are fainter, as in Mip-Splatting",
        ),
    ];

    /// Filter named in the comments of a PLY file: gsplat, Brush and splat-transform write `SplatRenderMode: mip`;
    /// Postshot writes `postshot.anti_aliasing=1` or `antialiased 1`. The last such comment counts.
    pub(super) fn of_comments(comments: &str) -> Option<Self> {
        let said = |line: &str| {
            let line = line.trim().to_lowercase();
            let (key, value) = line.split_once([':', '=', ' '])?;
            let is_mip = match key {
                "splatrendermode" => value.trim() == "mip",
                "postshot.anti_aliasing" | "antialiased" => value.trim() == "1",
                _ => return None,
            };
            Some(if is_mip { Self::Mip } else { Self::Classic })
        };
        comments.lines().filter_map(said).next_back()
    }
}
