//! Solids as seen by the camera, in f64: the twin of `shaders/frame/solids.wesl`. Only the struct layouts are shared with
//! the shader.

use glam::DVec3;
use wavelerp::model::layout::{FrameUniform, Vertex};

/// Distance in pixels by which a ray may miss the pixel's centre. Rounding moves an edge by less.
const OFF: f64 = 0.02;

/// Smallest and largest view depth that a pixel may have; both are infinite where there is no solid.
pub type Bounds = [f64; 2];

/// View depths at every pixel, row by row, along rays through the centre and close to it. Edges belong to their
/// triangle, so that a ray between two neighbours always hits one.
pub fn depths(vertices: &[Vertex], frame: &FrameUniform) -> Vec<Bounds> {
    let samples = [[0.0, 0.0], [OFF, 0.0], [-OFF, 0.0], [0.0, OFF], [0.0, -OFF]];
    let all = samples.map(|offset| depths_at(vertices, frame, offset));
    (0..all[0].len())
        .map(|at| {
            let of_pixel = all.iter().map(|depths| depths[at]);
            [
                of_pixel.clone().fold(f64::INFINITY, f64::min),
                of_pixel.fold(0.0, f64::max),
            ]
        })
        .collect()
}

fn vector(of: [f32; 3]) -> DVec3 {
    DVec3::from_array(of.map(f64::from))
}

/// View depths along rays that pass the pixels' centres at `offset`.
fn depths_at(vertices: &[Vertex], frame: &FrameUniform, offset: [f64; 2]) -> Vec<f64> {
    let [width, height] = frame.size;
    let [right, up, forward] = [frame.right, frame.up, frame.forward].map(vector);
    let view = |vertex: &Vertex| {
        let relative = vector(vertex.position) - vector(frame.eye);
        DVec3::new(relative.dot(right), relative.dot(up), relative.dot(forward))
    };
    let size = [width, height].map(f64::from);
    let tan = [frame.tan_x, frame.tan_y].map(f64::from);
    let near = f64::from(frame.near);
    // Along each axis, a pixel coordinate is `middle + scale * slope`, where the slopes are x / z and -y / z.
    let scale: [f64; 2] = std::array::from_fn(|axis| 0.5 * size[axis] / tan[axis]);
    let mut nearest = vec![f64::INFINITY; (width * height) as usize];
    for corners in vertices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|index| view(&corners[index]));
        let normal = (b - a).cross(c - a);
        // View space is left-handed.
        if normal.dot(a) <= 0.0 {
            continue;
        }
        let range = |axis: usize| {
            let edge = [width, height][axis];
            if [a, b, c].iter().any(|corner| corner.z < near) {
                return 0..edge;
            }
            let places = [a, b, c].map(|at| {
                let slope = [at.x, -at.y][axis] / at.z;
                0.5 * size[axis] + scale[axis] * slope
            });
            let least = places.into_iter().fold(f64::INFINITY, f64::min) - 1.0;
            let most = places.into_iter().fold(0.0, f64::max) + 1.0;
            (least.max(0.0) as u32).min(edge)..(most.max(0.0).ceil() as u32).min(edge)
        };
        let edges = [a.cross(b), b.cross(c), c.cross(a)];
        for y in range(1) {
            for x in range(0) {
                let place = [x, y].map(|at| f64::from(at) + 0.5);
                let slope =
                    |axis: usize| (place[axis] + offset[axis] - 0.5 * size[axis]) / scale[axis];
                let ray = DVec3::new(slope(0), -slope(1), 1.0);
                let depth = normal.dot(a) / normal.dot(ray);
                let is_inside = edges.iter().all(|edge| edge.dot(ray) >= 0.0);
                let pixel = &mut nearest[(y * width + x) as usize];
                if is_inside && depth >= near && depth < *pixel {
                    *pixel = depth;
                }
            }
        }
    }
    nearest
}
