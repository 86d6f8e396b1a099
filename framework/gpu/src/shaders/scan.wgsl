// Casts the rays of sensors. The declarations of the buffers, STACK, and the functions that read
// nodes and triangles are written by the host, because their number depends on the adapter.

struct Parameters {
    // first group and jobs of this dispatch
    first_group: u32,
    first_job: u32,
    end_job: u32,
    fixed_root: u32,
    mover_root: u32,
    fixed_step: f32,
    mover_step: f32,
    // share of the light that reaches every surface
    ambient: f32,
    // direction towards the sun, and bits of the colour of the sky
    sun: vec4<f32>,
}

// 0: ranges, 1: hits, 2: images
override OUTPUT: u32 = 0u;

const EMPTY: u32 = 0xffffffffu;
const NOTHING: f32 = 3.0e38;
const INFINITY: u32 = 0x7f800000u;
// rounding of the planes of a box
const CLOSER: f32 = 0.999999;
const FURTHER: f32 = 1.000001;

// A ray in the frame of a tree: the start is `origin` on the lattice, and `rest` beyond it.
struct Ray {
    origin: vec3<i32>,
    step: f32,
    rest: vec3<f32>,
    direction: vec3<f32>,
    inverse: vec3<f32>,
}

struct Hit {
    range: f32,
    // EMPTY without a hit
    triangle: u32,
    // EMPTY for placed instances
    instance: u32,
}

// Rays of a sensor in the trees of fixed and of moving instances.
struct Rays {
    fixed: Ray,
    mover: Ray,
    ignored: u32,
    near: f32,
}

// Finite, so that a ray in a plane of a box has no product of zero and infinity.
fn reciprocal(direction: vec3<f32>) -> vec3<f32> {
    let small = abs(direction) < vec3<f32>(1e-20);
    let least = select(vec3<f32>(1e-20), vec3<f32>(-1e-20), direction < vec3<f32>(0.0));
    return 1.0 / select(direction, least, small);
}

// The way from the start of the ray to a point of the lattice.
fn way(ray: Ray, point: vec3<i32>) -> vec3<f32> {
    return vec3<f32>(point - ray.origin) * ray.step - ray.rest;
}

fn bytes(word: u32) -> vec4<f32> {
    return vec4<f32>((vec4<u32>(word) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u));
}

struct Opened {
    entry: vec4<f32>,
    children: vec4<u32>,
}

// Sorts children by entry with a network of five comparisons.
fn sorted(opened: Opened) -> Opened {
    let e = opened.entry;
    let c = opened.children;
    let outer = e.zw < e.xy;
    let low = select(e.xy, e.zw, outer);
    let low_child = select(c.xy, c.zw, outer);
    let high = select(e.zw, e.xy, outer);
    let high_child = select(c.zw, c.xy, outer);
    let left = vec2<f32>(low.x, high.x);
    let left_child = vec2<u32>(low_child.x, high_child.x);
    let right = vec2<f32>(low.y, high.y);
    let right_child = vec2<u32>(low_child.y, high_child.y);
    let pairs = right < left;
    let first = select(left, right, pairs);
    let first_child = select(left_child, right_child, pairs);
    let second = select(right, left, pairs);
    let second_child = select(right_child, left_child, pairs);
    let inner = first.y < second.x;
    return Opened(
        vec4<f32>(
            first.x, select(second.x, first.y, inner), select(first.y, second.x, inner), second.y),
        vec4<u32>(
            first_child.x,
            select(second_child.x, first_child.y, inner),
            select(first_child.y, second_child.x, inner),
            second_child.y));
}

// Distances at which a ray enters the children of a node, NOTHING for those that it misses, and the
// children, nearest first.
fn open_node(words: array<vec4<u32>, 4>, ray: Ray, near: f32, far: f32) -> Opened {
    let corner = way(ray, bitcast<vec3<i32>>(words[0].xyz)) * ray.inverse;
    let exponents = (vec3<u32>(words[0].w) >> vec3<u32>(0u, 8u, 16u)) & vec3<u32>(255u);
    let cell = vec3<f32>(vec3<u32>(1u) << exponents) * ray.step * ray.inverse;
    let low = words[1].xyz;
    let high = vec3<u32>(words[1].w, words[2].x, words[2].y);
    let backwards = ray.inverse < vec3<f32>(0.0);
    let first = select(low, high, backwards);
    let last = select(high, low, backwards);
    var entry = max(bytes(first.x) * cell.x + corner.x, bytes(first.y) * cell.y + corner.y);
    entry = max(entry, bytes(first.z) * cell.z + corner.z);
    var exit = min(bytes(last.x) * cell.x + corner.x, bytes(last.y) * cell.y + corner.y);
    exit = min(exit, bytes(last.z) * cell.z + corner.z);
    entry = max(entry * CLOSER, vec4<f32>(near));
    exit = min(exit * FURTHER, vec4<f32>(far));
    let children = vec4<u32>(words[2].zw, words[3].xy);
    let missed = (entry > exit) | (children == vec4<u32>(EMPTY));
    return sorted(Opened(select(entry, vec4<f32>(NOTHING), missed), children));
}

// Edge functions in Plücker coordinates, which two triangles compute alike for the edge that they
// share (Platis and Theoharis, Fast ray-tetrahedron intersection using Plücker coordinates, 2003).
// Returns the range, or NOTHING.
fn intersect(index: u32, ray: Ray, near: f32, far: f32) -> f32 {
    let corners = triangle_corners(index);
    let a = way(ray, corners[0]);
    let b = way(ray, corners[1]);
    let c = way(ray, corners[2]);
    let ab = vec3<f32>(corners[1] - corners[0]) * ray.step;
    let bc = vec3<f32>(corners[2] - corners[1]) * ray.step;
    let ca = vec3<f32>(corners[0] - corners[2]) * ray.step;
    let u = dot(cross(ab, a + b), ray.direction);
    let v = dot(cross(bc, b + c), ray.direction);
    let w = dot(cross(ca, c + a), ray.direction);
    let slack = 1.2e-7 * abs(u + v + w);
    if min(u, min(v, w)) < -slack && max(u, max(v, w)) > slack {
        return NOTHING;
    }
    let normal = cross(ab, ca);
    let against = dot(normal, ray.direction);
    if against == 0.0 {
        return NOTHING;
    }
    let range = dot(normal, a) / against;
    return select(NOTHING, range, range >= near && range < far);
}

fn enter_instance(place: u32, mover: Ray) -> Ray {
    let x = instances[place];
    let y = instances[place + 1u];
    let z = instances[place + 2u];
    let rest = bitcast<vec4<f32>>(instances[place + 3u]);
    let position = bitcast<vec3<i32>>(vec3<u32>(x.w, y.w, z.w));
    let there = way(mover, position) + rest.xyz;
    let rows = array<vec3<f32>, 3>(
        bitcast<vec3<f32>>(x.xyz), bitcast<vec3<f32>>(y.xyz), bitcast<vec3<f32>>(z.xyz));
    var ray: Ray;
    ray.origin = vec3<i32>(0);
    ray.step = rest.w;
    ray.rest = -vec3<f32>(dot(rows[0], there), dot(rows[1], there), dot(rows[2], there));
    ray.direction = vec3<f32>(
        dot(rows[0], mover.direction), dot(rows[1], mover.direction), dot(rows[2], mover.direction));
    ray.inverse = reciprocal(ray.direction);
    return ray;
}

// The nearest hit, or any if `any` is true: the tree of fixed instances first, then that of movers.
// The lowest entry of the stack is the root of the second.
fn trace(rays: Rays, limit: f32, any: bool) -> Hit {
    var best = Hit(limit, EMPTY, EMPTY);
    var stack: array<vec2<u32>, STACK>;
    stack[0] = vec2<u32>(parameters.mover_root, 0u);
    var top = 1u;
    var ray = rays.fixed;
    var current = parameters.fixed_root;
    var instance = EMPTY;
    var fixed = true;
    // level of the stack at which the ray leaves the instance that it is in, 0 outside
    var floor = 0u;
    loop {
        let kind = current >> 30u;
        if current == EMPTY || (kind == 2u && is_ignored(current, rays.ignored)) {
            current = EMPTY;
        } else if kind == 0u {
            let opened = open_node(node(current), ray, rays.near, best.range);
            if opened.entry.w < NOTHING {
                stack[top] = vec2<u32>(opened.children.w, bitcast<u32>(opened.entry.w));
                top++;
            }
            if opened.entry.z < NOTHING {
                stack[top] = vec2<u32>(opened.children.z, bitcast<u32>(opened.entry.z));
                top++;
            }
            if opened.entry.y < NOTHING {
                stack[top] = vec2<u32>(opened.children.y, bitcast<u32>(opened.entry.y));
                top++;
            }
            current = select(EMPTY, opened.children.x, opened.entry.x < NOTHING);
            if current != EMPTY {
                continue;
            }
        } else if kind == 1u {
            let first = current & 0x7ffffffu;
            let count = ((current >> 27u) & 7u) + 1u;
            for (var k = 0u; k < count; k++) {
                let range = intersect(first + k, ray, rays.near, best.range);
                if range < NOTHING {
                    best = Hit(range, first + k, instance);
                }
            }
            if any && best.triangle != EMPTY {
                break;
            }
        } else {
            instance = (current & 0x3fffffffu) * 5u;
            floor = top;
            ray = enter_instance(instance, rays.mover);
            current = instances[instance + 4u].x;
            continue;
        }
        if top == floor {
            instance = EMPTY;
            floor = 0u;
            ray = rays.mover;
        }
        if top == 0u {
            break;
        }
        top--;
        if fixed && top == 0u {
            fixed = false;
            ray = rays.mover;
        }
        let entry = stack[top];
        current = select(EMPTY, entry.x, bitcast<f32>(entry.y) < best.range);
    }
    return best;
}

fn is_ignored(reference: u32, ignored: u32) -> bool {
    return ignored != EMPTY && instances[(reference & 0x3fffffffu) * 5u + 4u].z == ignored;
}

// The normal of a hit triangle in the world, of length one.
fn normal_of(hit: Hit) -> vec3<f32> {
    let corners = triangle_corners(hit.triangle);
    let ab = vec3<f32>(corners[1] - corners[0]);
    let ac = vec3<f32>(corners[2] - corners[0]);
    // of any length before the products, whose range is limited
    let normal = cross(ab / length(ab), ac / length(ac));
    if hit.instance == EMPTY {
        return normalize(normal);
    }
    let x = bitcast<vec3<f32>>(instances[hit.instance].xyz);
    let y = bitcast<vec3<f32>>(instances[hit.instance + 1u].xyz);
    let z = bitcast<vec3<f32>>(instances[hit.instance + 2u].xyz);
    let turned = x * normal.x + y * normal.y + z * normal.z;
    return normalize(turned / max(abs(turned.x), max(abs(turned.y), abs(turned.z))));
}

fn number_of(hit: Hit) -> u32 {
    if hit.instance == EMPTY {
        return triangle_words(hit.triangle).y;
    }
    return instances[hit.instance + 4u].y;
}

// A ray that starts further on, in the direction of the sun.
fn towards_sun(ray: Ray, offset: vec3<f32>) -> Ray {
    var shadow = ray;
    shadow.rest = ray.rest + offset;
    shadow.direction = parameters.sun.xyz;
    shadow.inverse = reciprocal(shadow.direction);
    return shadow;
}

fn shade(rays: Rays, hit: Hit) -> u32 {
    let direction = rays.fixed.direction;
    var normal = normal_of(hit);
    if dot(normal, direction) > 0.0 {
        normal = -normal;
    }
    var light = parameters.ambient;
    let incidence = dot(normal, parameters.sun.xyz);
    if incidence > 0.0 {
        let offset = direction * hit.range + normal * (1e-3 + 1e-5 * hit.range);
        var shadow = rays;
        shadow.fixed = towards_sun(rays.fixed, offset);
        shadow.mover = towards_sun(rays.mover, offset);
        shadow.near = 0.0;
        if trace(shadow, 1e30, true).triangle == EMPTY {
            light += (1.0 - parameters.ambient) * incidence;
        }
    }
    let colour = bytes(triangle_words(hit.triangle).w).xyz;
    let shaded = vec3<u32>(clamp(colour * light + 0.5, vec3<f32>(0.0), vec3<f32>(255.0)));
    return shaded.x | (shaded.y << 8u) | (shaded.z << 16u) | 0xff000000u;
}

// The last job whose first group is not behind a group.
fn job_of(group: u32) -> u32 {
    var low = parameters.first_job;
    var high = parameters.end_job;
    while high - low > 1u {
        let middle = (low + high) / 2u;
        if jobs[middle * 8u].w <= group {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low * 8u;
}

fn rays_of(job: u32, local: vec3<f32>) -> Rays {
    let direction = vec3<f32>(
        dot(bitcast<vec3<f32>>(jobs[job].xyz), local),
        dot(bitcast<vec3<f32>>(jobs[job + 1u].xyz), local),
        dot(bitcast<vec3<f32>>(jobs[job + 2u].xyz), local));
    let inverse = reciprocal(direction);
    let fixed_rest = bitcast<vec4<f32>>(jobs[job + 4u]);
    let mover_rest = bitcast<vec3<f32>>(jobs[job + 6u].xyz);
    var rays: Rays;
    rays.fixed = Ray(
        bitcast<vec3<i32>>(jobs[job + 3u].xyz), parameters.fixed_step, fixed_rest.xyz, direction, inverse);
    rays.mover = Ray(
        bitcast<vec3<i32>>(jobs[job + 5u].xyz), parameters.mover_step, mover_rest, direction, inverse);
    rays.ignored = jobs[job + 6u].w;
    rays.near = fixed_rest.w;
    return rays;
}

@compute @workgroup_size(64)
fn scan(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = parameters.first_group + group_id.y * groups.x + group_id.x;
    let job = job_of(group);
    let slot = (group - jobs[job].w) * 64u + lane;
    if slot >= jobs[job + 1u].w {
        return;
    }
    let local = directions[jobs[job + 2u].w + slot];
    let rays = rays_of(job, bitcast<vec3<f32>>(local.xyz));
    let far = bitcast<f32>(jobs[job + 5u].w);
    let hit = trace(rays, far, false);
    let found = hit.triangle != EMPTY;
    var range = INFINITY;
    if found {
        let noise = jobs[job + 7u];
        var noisy = hit.range;
        if bitcast<f32>(noise.z) > 0.0 {
            noisy += bitcast<f32>(noise.z) * normal_number(noise.xy, noise.w + local.w);
        }
        range = bitcast<u32>(noisy);
    }
    let place = jobs[job + 3u].w + local.w;
    if OUTPUT == 0u {
        results[place] = range;
    } else if OUTPUT == 1u {
        var cosine = 0.0;
        var number = EMPTY;
        var index = EMPTY;
        if found {
            cosine = abs(dot(normal_of(hit), rays.fixed.direction));
            number = number_of(hit);
            index = triangle_words(hit.triangle).z;
        }
        results[4u * place] = range;
        results[4u * place + 1u] = bitcast<u32>(cosine);
        results[4u * place + 2u] = number;
        results[4u * place + 3u] = index;
    } else {
        var colour = bitcast<u32>(parameters.sun.w);
        if found {
            colour = shade(rays, hit);
        }
        results[2u * place] = range;
        results[2u * place + 1u] = colour;
    }
}
