//! Lists of given layers on the GPU. Each list is a tile that the frame's own kernels composite. The layers are in a
//! table (`shaders/layers/sources/table.wesl`).

use crate::error::{Error, Result};
use crate::frame::Extent;
use crate::gpu::{
    Binds, Gpu, Pipelines, Profiler, Recorder, arriving, filled_buffer, storage_buffer,
    uniform_buffer,
};
use crate::methods::auto::{self, Facts};
use crate::methods::composite::compile;
use crate::methods::{Composite, Specialization};
use crate::model::layout::FrameUniform;
use crate::model::methods::Source;
use crate::model::options::ListOrder;
use crate::model::passes::Inputs;
use crate::model::reference::composite::Layer;
use crate::model::reference::stress;
use crate::model::techniques::layers::Range;

/// Lists in GPU memory, one per tile. The tiles are in a row.
pub struct Table {
    frame: wgpu::Buffer,
    table: wgpu::Buffer,
    depths: wgpu::Buffer,
    /// Depths, list by list.
    depths_of_lists: Vec<Vec<f32>>,
    tile_lists: wgpu::Buffer,
    layers: wgpu::Buffer,
    composites: wgpu::Buffer,
    ran_at: wgpu::Buffer,
    tile: u32,
    /// Extent that a method must cover to composite all lists.
    pub extent: Extent,
}

pub struct TableResult {
    /// Values (rgb, T) of every list, indexed by the number of the pixel in its tile.
    pub lists: Vec<Vec<[f32; 4]>>,
    /// Wave size of the kernel. 0 if it could not determine the size.
    pub wave_size: u32,
}

impl Table {
    /// Uploads `lists` for tiles of `tile` pixels. If `single_pixel` is true, there is only one list and one pixel.
    pub fn new(
        gpu: &Gpu,
        lists: &[&[Layer]],
        tile: u32,
        single_pixel: bool,
        order: ListOrder,
    ) -> Result<Self> {
        let rows: usize = lists.iter().map(|list| list.len()).sum();
        if (rows * 16) as u64 > gpu.caps.max_binding_bytes {
            return Err(Error::usage(format!(
                "{rows} rows are more than {} can hold in a buffer of {} bytes",
                gpu.caps.name, gpu.caps.max_binding_bytes
            )));
        }
        let mut tile_lists: Vec<[u32; 2]> = Vec::with_capacity(lists.len());
        let mut table: Vec<[f32; 4]> = Vec::with_capacity(rows);
        for list in lists {
            tile_lists.push([table.len() as u32, list.len() as u32]);
            table.extend(list.iter().map(|layer| {
                let [r, g, b] = layer.color;
                [r, g, b, layer.opacity]
            }));
        }
        let depths_of_lists = lists.iter().map(|list| stress::depths(list, order));
        let depths_of_lists: Vec<Vec<f32>> = depths_of_lists.collect();
        let identity: Vec<u32> = (0..rows as u32).collect();
        let size = match single_pixel {
            true => [1, 1],
            false => [tile * lists.len() as u32, tile],
        };
        let [near, far] = stress::PLANES;
        let uniform = FrameUniform {
            size,
            tiles: [lists.len() as u32, 1],
            near,
            far,
            time: stress::TIME,
            ..FrameUniform::plain()
        };
        Ok(Self {
            frame: uniform_buffer(gpu, "frame", &uniform),
            table: filled_buffer(gpu, "table", &table),
            depths: filled_buffer(gpu, "depths", &depths_of_lists.concat()),
            depths_of_lists,
            tile_lists: filled_buffer(gpu, "tile lists", &tile_lists),
            layers: filled_buffer(gpu, "layers", &identity),
            composites: storage_buffer(gpu, "composites", u64::from(size[0] * size[1]) * 16),
            ran_at: storage_buffer(gpu, "wave size", 8),
            tile,
            extent: Extent {
                size,
                items: 0,
                key_bits: 0,
                layers: Source::Table,
                slices: 0,
                tiles: lists.len() as u32,
                longest_list: lists.iter().map(|list| list.len()).max().unwrap_or(0) as u32,
                listed_layers: rows as u32,
            },
        })
    }

    /// The specialization that runs on these lists for `asked`.
    fn specialization(&self, gpu: &Gpu, asked: Specialization) -> Specialization {
        let asked = Specialization {
            source: Source::Table,
            options: asked.options.with_frame(|frame| frame.tile = self.tile),
            ..asked
        };
        let [width, height] = self.extent.size;
        let facts = Facts {
            pixels: width * height,
            mean: f64::from(self.extent.listed_layers) / f64::from(self.extent.tiles),
            longest: self.extent.longest_list,
            layers: Source::Table,
        };
        auto::choice(&gpu.caps, asked, &facts).specialization
    }

    /// Compiles in advance what [`Table::result`] will run.
    pub fn compile(&self, gpu: &Gpu, pipelines: &Pipelines, asked: Specialization) -> Result<()> {
        let specialization = self.specialization(gpu, asked);
        compile(gpu, pipelines, specialization, Source::Table)
    }

    pub async fn result(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        asked: Specialization,
    ) -> Result<TableResult> {
        let specialization = self.specialization(gpu, asked);
        let composite = Composite::new(gpu, pipelines, specialization, self.extent)?;
        self.composited(gpu, &composite).await
    }

    /// The rows of each list in the order of the list's depth keys, as in the coarse lists of frames. No pass makes
    /// such lists from a table.
    fn rows_by_key(&self, key_bits: u32) -> Vec<u32> {
        let [near, far] = stress::PLANES;
        let range = Range::new(near, far);
        let mut rows = Vec::new();
        for depths in &self.depths_of_lists {
            let first = rows.len();
            let mut of_list: Vec<usize> = (0..depths.len()).collect();
            of_list.sort_by_key(|&row| range.slice(depths[row], 1 << key_bits));
            rows.extend(of_list.into_iter().map(|row| (first + row) as u32));
        }
        rows
    }

    pub async fn composited(&self, gpu: &Gpu, composite: &Composite) -> Result<TableResult> {
        let layers = match composite.inputs {
            Inputs::COARSE_LISTS => {
                let key_bits = composite.specialization.options.frame.key_bits;
                &filled_buffer(gpu, "layers", &self.rows_by_key(key_bits))
            }
            _ => &self.layers,
        };
        let binds = Binds::new([
            ("frame", self.frame.as_entire_binding()),
            ("table", self.table.as_entire_binding()),
            ("table_depths", self.depths.as_entire_binding()),
            ("tile_lists", self.tile_lists.as_entire_binding()),
            ("layers", layers.as_entire_binding()),
            ("composites", self.composites.as_entire_binding()),
            ("ran_at", self.ran_at.as_entire_binding()),
        ]);
        // Poison (NaN in every channel) ensures that an unwritten pixel cannot look correct.
        let poison = vec![0xff; self.composites.size() as usize];
        gpu.queue.write_buffer(&self.composites, 0, &poison);
        let mut profiler = Profiler::untimed(gpu)?;
        let mut recorder = Recorder::new(gpu, &mut profiler, "verify");
        recorder.encoder.clear_buffer(&self.ran_at, 0, None);
        let frames = composite.frames();
        composite.record(&mut recorder, composite.label(), &[&binds], frames)?;
        let recorded = recorder.finish();
        profiler.submit(gpu, recorded)?;
        gpu.check()?;
        // Pixels are row-major over the row of tiles. The row is as high as a tile, except for a single pixel.
        let [width, edge] = self.extent.size;
        let count = (width * edge) as usize;
        let pixels: Vec<[f32; 4]> = arriving(gpu, &self.composites, count).await?;
        let of_list = |list: u32| {
            let place = |pixel: u32| pixel / edge * width + list * edge + pixel % edge;
            let places = (0..edge * edge).map(place);
            places.map(|place| pixels[place as usize]).collect()
        };
        Ok(TableResult {
            lists: (0..self.extent.tiles).map(of_list).collect(),
            wave_size: arriving::<u32>(gpu, &self.ran_at, 1).await?[0],
        })
    }
}

/// Layers of a list as seen by pixel `in_tile` of a tile: radiance times (number + 1), rounded to f32.
pub fn as_seen_by(list: &[Layer], in_tile: u32) -> Vec<Layer> {
    let factor = (in_tile + 1) as f32;
    list.iter()
        .map(|layer| Layer {
            color: layer.color.map(|channel| channel * factor),
            opacity: layer.opacity,
        })
        .collect()
}
