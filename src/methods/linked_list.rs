//! Lists of a pixel in memory (`shaders/methods/linked_list.wesl`): the room for them beside the kernel.

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::model::methods::{Method, PixelBytes};
use crate::model::options::{LIST_ROOMS, MethodOptions};
use crate::model::reference::oit::kbuffer::Tail;
use crate::model::{Capabilities, Feature};

use crate::frame::Extent;

use super::any_order::{AnyOrder, NUMBER, pixel_bytes};
use super::k_buffer::bytes_of_rest;
use super::kernel::{CompositePass, PassContext};
use super::multi_layer::NODE;
use super::own_buffer::{WithBuffer, bytes_of_pixels};
use super::specialization::Specialization;

/// Bytes of a node: radiance and opacity, depth and item.
const NODE_BYTES: u64 = NODE as u64;
/// Bytes of a node in engines (colour, depth, pointer; some keep more) and of a pixel's first pointer.
const DRAWN_NODE: u32 = 16;
const DRAWN_POINTER: u32 = 4;
/// Most nodes of a pixel that are sorted at a time.
const MOST_TAKEN: u32 = 8;

pub(super) struct LinkedList;

/// Nodes that are sorted at a time.
fn taken(spec: &Specialization) -> u32 {
    spec.options.method.list_room.min(MOST_TAKEN)
}

/// Bytes of the nodes of all pixels.
///
/// # Errors
/// Unavailable: no buffer of the adapter is so large; the message names the room that fits.
fn bytes_of_nodes(spec: &Specialization, extent: &Extent, caps: &Capabilities) -> Result<u64> {
    let each = u64::from(spec.options.method.list_room) * NODE_BYTES;
    bytes_of_pixels((spec, extent, caps), each, |most| {
        match most / NODE_BYTES >= u64::from(LIST_ROOMS[0]) {
            true => format!("--list-room {} fits", most / NODE_BYTES),
            false => "choose a smaller size".to_owned(),
        }
    })
}

impl AnyOrder for LinkedList {
    /// With uniform tables there is a storage buffer to spare for the nodes.
    fn own_constants(&self, spec: &Specialization, variant: Variant) -> Variant {
        let method = spec.options.method;
        variant
            .with("ROOM", method.list_room)
            .with("TAKEN", taken(spec))
            .with("REST", method.rest as u32)
            .feature(Feature::UniformTables, true)
    }

    fn bench_options(&self, _method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        let rooms = [16, 32].map(|list_room| MethodOptions { list_room, ..usual });
        let rest = Tail::Drop;
        rooms
            .into_iter()
            .chain([MethodOptions { rest, ..usual }])
            .collect()
    }

    /// Nodes in memory are counted with the buffers of its own.
    fn bytes(&self, spec: &Specialization) -> PixelBytes {
        let method = spec.options.method;
        let [rest, drawn_rest] = bytes_of_rest(method.rest);
        pixel_bytes(
            taken(spec) * NODE + 5 * NUMBER + rest,
            method.list_room * DRAWN_NODE + DRAWN_POINTER + drawn_rest,
        )
    }

    fn takes_any_order(&self, _spec: &Specialization) -> bool {
        false
    }

    fn words(&self, spec: &Specialization) -> Option<String> {
        let method = spec.options.method;
        Some(match method.rest == Tail::default() {
            true => method.list_room.to_string(),
            false => format!("{} {}", method.list_room, method.rest),
        })
    }

    fn pass(&self, context: PassContext) -> Result<Box<dyn CompositePass>> {
        let bytes = bytes_of_nodes(context.spec, context.extent, &context.gpu.caps)?;
        WithBuffer::boxed(context, ("nodes", bytes), 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_that_no_buffer_has_is_refused_and_the_message_names_what_fits() {
        let caps = Capabilities {
            max_binding_bytes: 1 << 27,
            ..Capabilities::default()
        };
        let spec = Specialization::new(Method::LinkedList);
        let pixels = u64::from(spec.options.frame.pixels_of_tile());
        let nodes = |tiles| {
            let extent = Extent {
                tiles,
                ..Extent::default()
            };
            bytes_of_nodes(&spec, &extent, &caps).map_err(|error| error.to_string())
        };
        let most = ((1 << 27) / (16 * NODE_BYTES * pixels)) as u32;
        assert_eq!(nodes(most), Ok(u64::from(most) * 16 * pixels * NODE_BYTES));
        let refused = |tiles: u32, remedy| {
            let message = nodes(tiles).expect_err("it is too large");
            assert!(message.ends_with(remedy), "{message}");
            assert!(!message.contains('\n'), "{message}");
        };
        refused(most + 1, "--list-room 15 fits");
        refused(4 * most, "--list-room 4 fits");
        refused(5 * most, "choose a smaller size");
    }
}
