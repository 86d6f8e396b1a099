//! The scan engine.

use std::sync::mpsc;

use crate::device::Device;
use crate::error::GpuError;
use crate::geometry::{Geometry, TRIANGLE_WORDS};
use crate::pattern::Patterns;
use crate::program::{Program, Shape};
use crate::readings::Readings;
use crate::scene::{Instance, Output, Pattern, Scene, Submission};
use crate::staging::{self, Jobs, Movers, Part, Trees};
use crate::tree::NODE_WORDS;

/// Entries of the stack that every shader has.
const LEAST_STACK: usize = 32;

/// Limits below the limits of the adapter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Largest size of a buffer in bytes, or nothing for the limit of the adapter. Scenes and
    /// results that are larger are divided among buffers.
    pub buffer: Option<u64>,
    /// Most groups of 64 rays per dimension of a dispatch, or nothing for the limit of the adapter.
    pub groups: Option<u32>,
}

/// A buffer that grows with its content.
struct Growing {
    label: &'static str,
    buffer: wgpu::Buffer,
}

impl Growing {
    fn new(device: &Device, label: &'static str) -> Result<Self, GpuError> {
        Ok(Self { label, buffer: device.upload(label, &[0; 4])? })
    }

    /// Writes the content, and returns whether the buffer is another.
    fn write(&mut self, device: &Device, words: &[u32]) -> Result<bool, GpuError> {
        let bytes = size_of_val(words) as u64;
        let grows = bytes > self.buffer.size();
        if grows {
            let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
            self.buffer = device.buffer(self.label, bytes.next_power_of_two(), usage)?;
        }
        device.queue.write_buffer(&self.buffer, 0, bytemuck::cast_slice(words));
        Ok(grows)
    }
}

/// Buffers of one dispatch.
struct Slot {
    parameters: wgpu::Buffer,
    results: wgpu::Buffer,
    copy: Option<wgpu::Buffer>,
    bindings: Option<wgpu::BindGroup>,
}

/// Geometry on the device.
#[derive(Default)]
struct Uploaded {
    nodes: Vec<wgpu::Buffer>,
    triangles: Vec<wgpu::Buffer>,
    /// Words of nodes and triangles that were uploaded.
    words: (usize, usize),
}

/// A scene and ray patterns on a device.
pub struct Scanner {
    device: Device,
    geometry: Geometry,
    patterns: Patterns,
    /// Largest size of a buffer in bytes.
    limit: u64,
    /// Most groups per dimension.
    groups: u32,
    uploaded: Uploaded,
    directions: wgpu::Buffer,
    movers: Growing,
    instances: Growing,
    jobs: Growing,
    program: Option<Program>,
    slots: Vec<Slot>,
    /// Parts of the last submission.
    parts: Vec<Part>,
}

impl Scanner {
    /// Uploads the fixed part of a scene and the patterns.
    ///
    /// # Errors
    /// Defects of the scene and of the patterns, and failures of the device.
    pub fn new(device: Device, scene: Scene, patterns: &[Pattern]) -> Result<Self, GpuError> {
        Self::with_limits(device, scene, patterns, Limits::default())
    }

    /// Does the same as [`Scanner::new`] with smaller limits than the adapter.
    ///
    /// # Errors
    /// As for [`Scanner::new`].
    pub fn with_limits(
        device: Device,
        scene: Scene,
        patterns: &[Pattern],
        limits: Limits,
    ) -> Result<Self, GpuError> {
        // shaders address words of results with 32 bits
        let most = device.largest_buffer().min(limits.buffer.unwrap_or(u64::MAX)).min(1 << 31);
        let limit = (most / 256 * 256).max(256);
        let most_groups = device.device.limits().max_compute_workgroups_per_dimension;
        let groups = limits.groups.map_or(most_groups, |groups| groups.clamp(1, most_groups));
        let geometry = Geometry::new(scene)?;
        let patterns = Patterns::new(patterns, limit as usize / 16)?;
        let needed = (patterns.words.len() * 4).div_ceil(most as usize);
        if needed > 1 && limits.buffer.is_none() {
            return Err(GpuError::TooLarge { needed, bytes: most, allowed: 1 });
        }
        let directions = device.upload("directions of rays", &patterns.words)?;
        let movers = Growing::new(&device, "tree of moving instances")?;
        let instances = Growing::new(&device, "moving instances")?;
        let jobs = Growing::new(&device, "sensors")?;
        let mut scanner = Self {
            device,
            geometry,
            patterns,
            limit,
            groups,
            uploaded: Uploaded::default(),
            directions,
            movers,
            instances,
            jobs,
            program: None,
            slots: Vec::new(),
            parts: Vec::new(),
        };
        scanner.upload()?;
        scanner.device.check()?;
        Ok(scanner)
    }

    /// Replaces the patterns.
    ///
    /// # Errors
    /// Defects of the patterns, and failures of the device.
    pub fn set_patterns(&mut self, patterns: &[Pattern]) -> Result<(), GpuError> {
        let (limit, most) = (self.limit as usize / 16, self.device.largest_buffer());
        let patterns = Patterns::new(patterns, limit)?;
        let needed = (patterns.words.len() * 4).div_ceil(most as usize);
        if needed > 1 {
            return Err(GpuError::TooLarge { needed, bytes: most, allowed: 1 });
        }
        self.directions = self.device.upload("directions of rays", &patterns.words)?;
        self.patterns = patterns;
        self.slots.iter_mut().for_each(|slot| slot.bindings = None);
        self.device.check()
    }

    /// Returns the device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Casts all rays, and returns their results.
    ///
    /// # Errors
    /// Defects of the submission, and failures of the device.
    pub fn scan(&mut self, submission: &Submission) -> Result<Readings, GpuError> {
        let mut readings = Readings::default();
        self.scan_into(submission, &mut readings)?;
        Ok(readings)
    }

    /// Casts all rays, and replaces the content of readings, whose memory is used again.
    ///
    /// # Errors
    /// As for [`Scanner::scan`].
    pub fn scan_into(
        &mut self,
        submission: &Submission,
        readings: &mut Readings,
    ) -> Result<(), GpuError> {
        let starts = self.submit(submission, true)?;
        readings.output = submission.output;
        readings.starts = starts;
        readings.words.clear();
        self.read(submission.output, &mut readings.words)
    }

    /// Casts all rays, and leaves their results on the device: see [`Scanner::results`]. Returns
    /// before the device has done its work.
    ///
    /// # Errors
    /// As for [`Scanner::scan`].
    pub fn launch(&mut self, submission: &Submission) -> Result<(), GpuError> {
        self.submit(submission, false).map(drop)
    }

    /// Waits until the device has done all its work.
    ///
    /// # Errors
    /// Failures of the device.
    pub fn wait(&self) -> Result<(), GpuError> {
        self.device.wait()
    }

    /// Returns the buffers with the results of the last submission and the number of rays in each:
    /// sensor after sensor, each in the order of its pattern, with the words of [`Output`] per ray.
    /// The next submission overwrites them.
    pub fn results(&self) -> impl Iterator<Item = (&wgpu::Buffer, u32)> {
        self.slots.iter().zip(&self.parts).map(|(slot, part)| (&slot.results, part.rays))
    }

    fn check(&self, submission: &Submission) -> Result<(), GpuError> {
        self.device.check()?;
        for (index, instance) in submission.movers.iter().enumerate() {
            instance.check(index, self.geometry.mesh_count())?;
        }
        for (index, sensor) in submission.sensors.iter().enumerate() {
            sensor.check(index, self.patterns.blocks.len())?;
        }
        Ok(())
    }

    /// Sends everything to the device, and returns the first ray of each sensor.
    fn submit(&mut self, submission: &Submission, copied: bool) -> Result<Vec<usize>, GpuError> {
        self.check(submission)?;
        let together: Vec<Instance>;
        let instances = if self.geometry.loose.is_empty() {
            submission.movers
        } else {
            together = [&self.geometry.loose[..], submission.movers].concat();
            &together
        };
        let movers = Movers::new(instances, &mut self.geometry);
        self.upload()?;
        let fixed = self.geometry.fixed;
        let most = self.limit as usize / (4 * submission.output.words());
        let jobs =
            Jobs::new(submission.sensors, &self.patterns, fixed.lattice, movers.lattice, most);
        let stack = fixed.stack.max(movers.tree.stack + movers.stack) + 2;
        self.compile(stack, submission.output)?;
        let mut moved = self.movers.write(&self.device, &movers.tree.words)?;
        moved |= self.instances.write(&self.device, &movers.words)?;
        moved |= self.jobs.write(&self.device, &jobs.words)?;
        if moved {
            self.slots.iter_mut().for_each(|slot| slot.bindings = None);
        }
        let roots = [fixed.root, movers.tree.root];
        let trees = Trees { roots, steps: [fixed.lattice.step, movers.lattice.step] };
        for (index, part) in jobs.parts.iter().enumerate() {
            self.prepare(index, staging::bytes(*part, submission.output), copied)?;
            let words = staging::parameters(*part, &trees, &submission.light);
            let bytes = bytemuck::cast_slice(&words);
            self.device.queue.write_buffer(&self.slots[index].parameters, 0, bytes);
        }
        self.parts = jobs.parts;
        self.encode(submission.output, copied);
        self.device.check()?;
        Ok(jobs.starts)
    }

    /// Uploads nodes and triangles that are new.
    fn upload(&mut self) -> Result<(), GpuError> {
        let words = (self.geometry.nodes.len(), self.geometry.triangles.len());
        if self.uploaded.words == words && !self.uploaded.nodes.is_empty() {
            return Ok(());
        }
        let shape = self.shape(0);
        let allowed = self.device.device.limits().max_storage_buffers_per_shader_stage as usize;
        if shape.storage() > allowed {
            let needed = shape.storage();
            return Err(GpuError::TooLarge { needed, bytes: self.limit, allowed });
        }
        let upload = |label: &str, words: &[u32], size: usize| {
            let mut pieces: Vec<&[u32]> = words.chunks(size).collect();
            if pieces.is_empty() {
                pieces.push(&[]);
            }
            pieces.into_iter().map(|piece| self.device.upload(label, piece)).collect()
        };
        let nodes: Result<Vec<_>, _> =
            upload("trees", &self.geometry.nodes, shape.nodes.1 * NODE_WORDS);
        let triangles: Result<Vec<_>, _> =
            upload("triangles", &self.geometry.triangles, shape.triangles.1 * TRIANGLE_WORDS);
        self.uploaded = Uploaded { nodes: nodes?, triangles: triangles?, words };
        self.slots.iter_mut().for_each(|slot| slot.bindings = None);
        Ok(())
    }

    /// Returns the shape of the program for the geometry.
    fn shape(&self, stack: usize) -> Shape {
        let pieces = |words: usize, item: usize| {
            let items = self.limit as usize / (4 * item);
            (words.div_ceil(items * item).max(1), items)
        };
        let nodes = pieces(self.geometry.nodes.len(), NODE_WORDS);
        let triangles = pieces(self.geometry.triangles.len(), TRIANGLE_WORDS);
        Shape { nodes, triangles, stack }
    }

    /// Compiles shaders with at least this stack, unless they exist.
    fn compile(&mut self, stack: usize, output: Output) -> Result<(), GpuError> {
        let previous = self.program.as_ref().map_or(LEAST_STACK, |program| program.shape().stack);
        let shape = self.shape(stack.max(previous).next_multiple_of(16));
        if self.program.as_ref().is_none_or(|program| program.shape() != shape) {
            self.program = Some(Program::new(&self.device, shape)?);
            self.slots.iter_mut().for_each(|slot| slot.bindings = None);
        }
        match &mut self.program {
            Some(program) => program.compile(&self.device, output),
            None => Ok(()),
        }
    }

    /// Makes the buffers of a dispatch large enough, and binds them.
    fn prepare(&mut self, index: usize, bytes: u64, copied: bool) -> Result<(), GpuError> {
        let device = &self.device;
        let results = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        if self.slots.len() <= index {
            let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
            let parameters = device.buffer("parameters", 48, usage)?;
            let results = device.buffer("results", bytes, results)?;
            self.slots.push(Slot { parameters, results, copy: None, bindings: None });
        }
        let slot = &mut self.slots[index];
        if slot.results.size() < bytes {
            slot.results = device.buffer("results", bytes, results)?;
            slot.bindings = None;
        }
        if copied && slot.copy.as_ref().is_none_or(|copy| copy.size() < bytes) {
            let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
            slot.copy = Some(device.buffer("copy of the results", bytes, usage)?);
        }
        if slot.bindings.is_none() {
            self.bind(index);
        }
        Ok(())
    }

    fn bind(&mut self, index: usize) {
        let Some(program) = &self.program else { return };
        let slot = &self.slots[index];
        let single = [
            &slot.parameters,
            &self.movers.buffer,
            &self.instances.buffer,
            &self.jobs.buffer,
            &self.directions,
            &slot.results,
        ];
        let buffers =
            single.into_iter().chain(&self.uploaded.nodes).chain(&self.uploaded.triangles);
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let descriptor = wgpu::BindGroupDescriptor {
            label: Some("scan"),
            layout: program.layout(),
            entries: &entries,
        };
        self.slots[index].bindings = Some(self.device.device.create_bind_group(&descriptor));
    }

    fn encode(&self, output: Output, copied: bool) {
        let pipeline = self.program.as_ref().and_then(|program| program.pipeline(output));
        let Some(pipeline) = pipeline else { return };
        let mut encoder = self.device.device.create_command_encoder(&Default::default());
        for (slot, part) in self.slots.iter().zip(&self.parts) {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, slot.bindings.as_ref(), &[]);
            let (x, y) = staging::grid(*part, self.groups);
            pass.dispatch_workgroups(x, y, 1);
            drop(pass);
            if let (true, Some(copy)) = (copied, &slot.copy) {
                let bytes = staging::bytes(*part, output);
                encoder.copy_buffer_to_buffer(&slot.results, 0, copy, 0, bytes);
            }
        }
        self.device.queue.submit([encoder.finish()]);
    }

    /// Appends the results of all parts.
    fn read(&self, output: Output, words: &mut Vec<u32>) -> Result<(), GpuError> {
        let (sender, mapped) = mpsc::channel();
        let copies = self.slots.iter().zip(&self.parts);
        let copies: Vec<(&wgpu::Buffer, u64)> = copies
            .filter_map(|(slot, part)| Some((slot.copy.as_ref()?, staging::bytes(*part, output))))
            .collect();
        for (copy, bytes) in &copies {
            let sender = sender.clone();
            copy.slice(..*bytes).map_async(wgpu::MapMode::Read, move |result| {
                // the receiver waits for all results, or has found a failure
                let _ = sender.send(result);
            });
        }
        self.device.wait()?;
        for _ in &copies {
            if !matches!(mapped.try_recv(), Ok(Ok(()))) {
                self.device.check()?;
                return Err(GpuError::Device { reason: "the results cannot be read".into() });
            }
        }
        for (copy, bytes) in copies {
            let unreadable = |error| GpuError::Device { reason: format!("results: {error}") };
            let view = copy.slice(..bytes).get_mapped_range().map_err(unreadable)?;
            words.extend_from_slice(bytemuck::cast_slice(&view));
            drop(view);
            copy.unmap();
        }
        Ok(())
    }
}
