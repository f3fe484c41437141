//! Copies from the GPU that come back some frames later. Never waits.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use bytemuck::AnyBitPattern;

use crate::error::{Error, Result};
use crate::gpu::Gpu;

/// Copies on their way at once, at most.
pub const FRAMES_IN_FLIGHT: usize = 3;

/// States of a mapping, in an atomic that wgpu's callback writes.
const WAITING: u8 = 0;
const MAPPED: u8 = 1;
const FAILED: u8 = 2;

/// A part of a buffer, in bytes; both numbers are multiples of 4.
pub struct Part<'a> {
    /// The buffer.
    pub buffer: &'a wgpu::Buffer,
    /// First byte.
    pub offset: u64,
    /// Number of bytes.
    pub bytes: u64,
}

impl<'a> Part<'a> {
    /// The first `bytes` of a buffer.
    pub fn first(buffer: &'a wgpu::Buffer, bytes: u64) -> Self {
        let offset = 0;
        Self {
            buffer,
            offset,
            bytes,
        }
    }
}

/// A ring of staging buffers; each copy carries a note of what it is.
pub struct Readbacks<T> {
    label: &'static str,
    free: Vec<wgpu::Buffer>,
    in_flight: VecDeque<Flight<T>>,
}

struct Flight<T> {
    buffer: wgpu::Buffer,
    parts: Vec<Range<usize>>,
    state: Option<Arc<AtomicU8>>,
    note: T,
}

/// A copy that has come back.
pub struct Arrived<T> {
    /// What it is.
    pub note: T,
    bytes: Vec<u8>,
    parts: Vec<Range<usize>>,
}

impl<T> Readbacks<T> {
    /// An empty ring; `label` is that of its buffers.
    pub fn new(label: &'static str) -> Self {
        Self {
            label,
            free: Vec::new(),
            in_flight: VecDeque::new(),
        }
    }

    /// Whether another copy may start now.
    pub fn has_room(&self) -> bool {
        self.in_flight.len() < FRAMES_IN_FLIGHT
    }

    /// Whether nothing is on its way.
    pub fn is_idle(&self) -> bool {
        self.in_flight.is_empty()
    }

    /// Records the copy of `parts` (those that are there) if there is room.
    pub fn record(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        parts: &[Option<Part>],
        note: T,
    ) {
        if !self.has_room() {
            return;
        }
        let mut end = 0;
        let ranges: Vec<Range<usize>> = parts
            .iter()
            .map(|part| {
                let start = end;
                end += part.as_ref().map_or(0, |part| part.bytes as usize);
                start..end
            })
            .collect();
        let buffer = self.staging(gpu, end as u64);
        for (part, range) in parts.iter().zip(&ranges) {
            let Some(part) = part.as_ref().filter(|part| part.bytes > 0) else {
                continue;
            };
            encoder.copy_buffer_to_buffer(
                part.buffer,
                part.offset,
                &buffer,
                range.start as u64,
                part.bytes,
            );
        }
        self.in_flight.push_back(Flight {
            buffer,
            parts: ranges,
            state: None,
            note,
        });
    }

    /// A free buffer of at least `bytes`.
    fn staging(&mut self, gpu: &Gpu, bytes: u64) -> wgpu::Buffer {
        match self.free.pop() {
            Some(buffer) if buffer.size() >= bytes => buffer,
            _ => gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: bytes.max(16),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        }
    }

    /// To be called when recorded copies were submitted.
    pub fn submitted(&mut self) {
        for flight in &mut self.in_flight {
            if flight.state.is_some() {
                continue;
            }
            let state = Arc::new(AtomicU8::new(WAITING));
            flight.state = Some(Arc::clone(&state));
            flight
                .buffer
                .map_async(wgpu::MapMode::Read, .., move |result| {
                    let reached = if result.is_ok() { MAPPED } else { FAILED };
                    state.store(reached, Ordering::Release);
                });
        }
    }

    /// The oldest copy, once, if it is back.
    ///
    /// # Errors
    /// The device failed (exit code 1).
    pub fn take(&mut self) -> Result<Option<Arrived<T>>> {
        let state = self.in_flight.front().and_then(|flight| {
            let state = flight.state.as_ref()?;
            Some(state.load(Ordering::Acquire))
        });
        if !matches!(state, Some(MAPPED | FAILED)) {
            return Ok(None);
        }
        let Some(flight) = self.in_flight.pop_front() else {
            return Ok(None);
        };
        let view = match state {
            Some(MAPPED) => flight.buffer.get_mapped_range(..).ok(),
            _ => None,
        };
        let Some(view) = view else {
            return Err(Error::failed(format!("{}: mapping failed", self.label)));
        };
        let end = flight.parts.last().map_or(0, |part| part.end);
        let bytes = view[..end].to_vec();
        drop(view);
        flight.buffer.unmap();
        self.free.push(flight.buffer);
        Ok(Some(Arrived {
            note: flight.note,
            bytes,
            parts: flight.parts,
        }))
    }

    /// Bytes of its staging buffers.
    pub fn bytes(&self) -> u64 {
        let in_flight = self.in_flight.iter().map(|flight| &flight.buffer);
        self.free
            .iter()
            .chain(in_flight)
            .map(wgpu::Buffer::size)
            .sum()
    }
}

impl<T> Arrived<T> {
    /// The elements of a part; none where it was not there.
    pub fn part<P: AnyBitPattern>(&self, index: usize) -> Vec<P> {
        let elements = self.bytes(index).chunks_exact(size_of::<P>());
        elements.map(bytemuck::pod_read_unaligned).collect()
    }

    /// The bytes of a part; none where it was not there.
    pub fn bytes(&self, index: usize) -> &[u8] {
        let range = self.parts.get(index).cloned().unwrap_or_default();
        &self.bytes[range]
    }
}
