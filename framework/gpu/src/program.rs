//! The shader with its bindings.

use std::fmt::Write;

use crate::device::Device;
use crate::error::GpuError;
use crate::scene::Output;
use crate::tree::NODE_WORDS;

/// Node index at which the tree of moving instances starts.
pub(crate) const TOP: u32 = 1 << 29;
/// Bindings of single buffers: parameters, nodes of movers, instances, jobs, directions, results.
const SINGLE: usize = 6;
/// Vectors of four words per node and per triangle.
const NODE_VECTORS: usize = NODE_WORDS / 4;
const TRIANGLE_VECTORS: usize = crate::geometry::TRIANGLE_WORDS / 4;

/// Numbers on which the text of the shader depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Number of buffers with nodes, and nodes per buffer.
    pub nodes: (usize, usize),
    /// Number of buffers with triangles, and triangles per buffer.
    pub triangles: (usize, usize),
    /// Entries of the stack.
    pub stack: usize,
}

impl Shape {
    /// Returns the number of storage buffers.
    pub fn storage(&self) -> usize {
        SINGLE - 1 + self.nodes.0 + self.triangles.0
    }

    fn source(&self) -> String {
        let mut text = String::from(SINGLE_BINDINGS);
        let _ = writeln!(text, "const STACK: u32 = {}u;", self.stack);
        declare(&mut text, "nodes", SINGLE, self.nodes.0, self.nodes.1 * NODE_VECTORS);
        let first = SINGLE + self.nodes.0;
        let vectors = self.triangles.1 * TRIANGLE_VECTORS;
        declare(&mut text, "triangles", first, self.triangles.0, vectors);
        text.push_str(READERS);
        text.push_str(include_str!("shaders/noise.wgsl"));
        text.push_str(include_str!("shaders/scan.wgsl"));
        text
    }
}

const SINGLE_BINDINGS: &str = "
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> movers: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> instances: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> jobs: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> directions: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> results: array<u32>;
";

const READERS: &str = "
fn node(index: u32) -> array<vec4<u32>, 4> {
    if index >= 0x20000000u {
        let k = (index - 0x20000000u) * 4u;
        return array<vec4<u32>, 4>(movers[k], movers[k + 1u], movers[k + 2u], movers[k + 3u]);
    }
    let k = index * 4u;
    return array<vec4<u32>, 4>(read_nodes(k), read_nodes(k + 1u), read_nodes(k + 2u), read_nodes(k + 3u));
}

fn triangle_corners(index: u32) -> array<vec3<i32>, 3> {
    let k = index * 3u;
    let a = bitcast<vec4<i32>>(read_triangles(k));
    let b = bitcast<vec4<i32>>(read_triangles(k + 1u));
    let c = bitcast<vec4<i32>>(read_triangles(k + 2u));
    return array<vec3<i32>, 3>(a.xyz, vec3<i32>(a.w, b.xy), vec3<i32>(b.zw, c.x));
}

// y: number of the instance, z: index in the mesh, w: colour
fn triangle_words(index: u32) -> vec4<u32> {
    return read_triangles(index * 3u + 2u);
}
";

/// Declares the buffers of an array that is divided, and a function that reads it.
fn declare(text: &mut String, name: &str, first: usize, count: usize, vectors: usize) {
    for k in 0..count {
        let binding = first + k;
        let _ = writeln!(
            text,
            "@group(0) @binding({binding}) var<storage, read> {name}{k}: array<vec4<u32>>;"
        );
    }
    let _ = writeln!(text, "fn read_{name}(index: u32) -> vec4<u32> {{");
    for k in 0..count - 1 {
        let (end, start) = ((k + 1) * vectors, k * vectors);
        let _ = writeln!(text, "    if index < {end}u {{ return {name}{k}[index - {start}u]; }}");
    }
    let (last, start) = (count - 1, (count - 1) * vectors);
    let _ = writeln!(text, "    return {name}{last}[index - {start}u];\n}}");
}

/// The shader, compiled for the outputs that were used.
pub(crate) struct Program {
    shape: Shape,
    module: wgpu::ShaderModule,
    layout: wgpu::BindGroupLayout,
    pipelines: [Option<wgpu::ComputePipeline>; 3],
}

impl Program {
    /// Reads the shader.
    pub fn new(device: &Device, shape: Shape) -> Result<Self, GpuError> {
        let invalid = device.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some("scan"),
            source: wgpu::ShaderSource::Wgsl(shape.source().into()),
        };
        let mut checks = wgpu::ShaderRuntimeChecks::checked();
        checks.force_loop_bounding = false;
        // SAFETY: every loop ends. The search of a job halves its interval; the loops over leaves
        // have at most 8 turns; and each turn of the traversal either takes an entry from the stack
        // or goes down in a tree that was built without cycles. Accesses stay checked.
        let module = unsafe { device.device.create_shader_module_trusted(descriptor, checks) };
        let layout = layout(device, shape);
        match pollster::block_on(invalid.pop()) {
            Some(error) => Err(GpuError::Device { reason: error.to_string() }),
            None => Ok(Self { shape, module, layout, pipelines: [None, None, None] }),
        }
    }

    /// Compiles the shader for an output, unless it is compiled already.
    pub fn compile(&mut self, device: &Device, output: Output) -> Result<(), GpuError> {
        if self.pipeline(output).is_some() {
            return Ok(());
        }
        let invalid = device.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let layout = device.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("scan"),
            bind_group_layouts: &[Some(&self.layout)],
            immediate_size: 0,
        });
        let pipeline = device.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("scan"),
            layout: Some(&layout),
            module: &self.module,
            entry_point: Some("scan"),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &[("OUTPUT", f64::from(output as u8))],
                ..Default::default()
            },
            cache: None,
        });
        match pollster::block_on(invalid.pop()) {
            Some(error) => Err(GpuError::Device { reason: error.to_string() }),
            None => {
                self.pipelines[output as usize] = Some(pipeline);
                Ok(())
            }
        }
    }

    /// Returns the numbers on which the text of the shader depends.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the layout of the bindings.
    pub fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    /// Returns the shader for an output, if it is compiled.
    pub fn pipeline(&self, output: Output) -> Option<&wgpu::ComputePipeline> {
        self.pipelines[output as usize].as_ref()
    }
}

fn layout(device: &Device, shape: Shape) -> wgpu::BindGroupLayout {
    let entry = |binding: usize| {
        let ty = match binding {
            0 => wgpu::BufferBindingType::Uniform,
            5 => wgpu::BufferBindingType::Storage { read_only: false },
            _ => wgpu::BufferBindingType::Storage { read_only: true },
        };
        wgpu::BindGroupLayoutEntry {
            binding: binding as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        }
    };
    let entries: Vec<_> = (0..=shape.storage()).map(entry).collect();
    let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some("scan"), entries: &entries };
    device.device.create_bind_group_layout(&descriptor)
}
