//! Copies of parts of a frame's buffers, which arrive some frames later. Nothing here waits for the GPU.

use std::collections::VecDeque;
use std::ops::Range;

use bytemuck::AnyBitPattern;

use crate::error::Result;
use crate::gpu::{Gpu, ReadBack};

pub const FRAMES_IN_FLIGHT: usize = 3;

/// A part of a buffer. Offset and size are in bytes, and multiples of 4.
pub struct ReadBackPart<'a> {
    pub buffer: &'a wgpu::Buffer,
    pub offset: u64,
    pub bytes: u64,
}

impl<'a> ReadBackPart<'a> {
    pub fn first(buffer: &'a wgpu::Buffer, bytes: u64) -> Self {
        let offset = 0;
        Self {
            buffer,
            offset,
            bytes,
        }
    }

    /// `count` composites in a row from pixel `first` of a picture of `size` pixels.
    pub fn pixels(buffer: &'a wgpu::Buffer, size: [u32; 2], first: [u32; 2], count: u32) -> Self {
        let [x, y] = first.map(u64::from);
        Self {
            buffer,
            offset: 16 * (y * u64::from(size[0]) + x),
            bytes: 16 * u64::from(count),
        }
    }
}

/// A ring of read-back buffers. Each copy carries a note that describes its content.
pub struct Readbacks<T> {
    label: &'static str,
    free: Vec<ReadBack>,
    in_flight: VecDeque<Flight<T>>,
}

struct Flight<T> {
    read_back: ReadBack,
    parts: Vec<Range<usize>>,
    note: T,
}

pub struct Arrived<T> {
    pub note: T,
    bytes: Vec<u8>,
    parts: Vec<Range<usize>>,
}

impl<T> Readbacks<T> {
    /// `label` names the ring's buffers.
    pub fn new(label: &'static str) -> Self {
        Self {
            label,
            free: Vec::new(),
            in_flight: VecDeque::new(),
        }
    }

    pub fn has_room(&self) -> bool {
        self.in_flight.len() < FRAMES_IN_FLIGHT
    }

    pub fn is_idle(&self) -> bool {
        self.in_flight.is_empty()
    }

    /// Records a copy of the `parts` that are `Some`, if a buffer is free.
    pub fn record(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        parts: &[Option<ReadBackPart>],
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
        let read_back = self.read_back(gpu, end as u64);
        for (part, range) in parts.iter().zip(&ranges) {
            let Some(part) = part.as_ref().filter(|part| part.bytes > 0) else {
                continue;
            };
            encoder.copy_buffer_to_buffer(
                part.buffer,
                part.offset,
                read_back.buffer(),
                range.start as u64,
                part.bytes,
            );
        }
        self.in_flight.push_back(Flight {
            read_back,
            parts: ranges,
            note,
        });
    }

    /// A free read-back buffer of at least `bytes` bytes.
    fn read_back(&mut self, gpu: &Gpu, bytes: u64) -> ReadBack {
        match self.free.pop() {
            Some(free) if free.buffer().size() >= bytes => free,
            _ => ReadBack::new(gpu, self.label, bytes),
        }
    }

    /// Call it after submitting the recorded copies.
    pub fn submitted(&mut self) {
        for flight in &self.in_flight {
            flight.read_back.start();
        }
    }

    /// The oldest copy, if it is complete. Each copy is returned once.
    pub fn take(&mut self) -> Result<Option<Arrived<T>>> {
        let bytes = self.in_flight.front().and_then(|flight| {
            let end = flight.parts.last().map_or(0, |part| part.end);
            flight.read_back.take(|bytes| bytes[..end].to_vec())
        });
        let Some(bytes) = bytes else {
            return Ok(None);
        };
        let Some(flight) = self.in_flight.pop_front() else {
            return Ok(None);
        };
        let bytes = bytes?;
        self.free.push(flight.read_back);
        Ok(Some(Arrived {
            note: flight.note,
            bytes,
            parts: flight.parts,
        }))
    }

    pub fn bytes(&self) -> u64 {
        let in_flight = self.in_flight.iter().map(|flight| &flight.read_back);
        let all = self.free.iter().chain(in_flight);
        all.map(|one| one.buffer().size()).sum()
    }
}

impl<T> Arrived<T> {
    /// Elements of a part. Empty if the part did not exist.
    pub fn part<P: AnyBitPattern>(&self, index: usize) -> Vec<P> {
        let elements = self.bytes(index).chunks_exact(size_of::<P>());
        elements.map(bytemuck::pod_read_unaligned).collect()
    }

    /// Wave size from a part of one word. `None` if the kernel could not determine it.
    pub fn wave_size(&self, index: usize) -> Option<u32> {
        let size = self.part::<u32>(index).first().copied();
        size.filter(|&size| size > 0)
    }

    /// Bytes of a part. Empty if the part did not exist.
    pub fn bytes(&self, index: usize) -> &[u8] {
        let range = self.parts.get(index).cloned().unwrap_or_default();
        &self.bytes[range]
    }
}
