// Normally distributed numbers of the streams that the CPU draws from (SplitMix64 in counter mode,
// Box and Muller 1958). Counters are the same integers; logarithm, sine and cosine have polynomials
// here, because the accuracy of the built-in functions is not sufficient. 64-bit integers are pairs:
// x the low, y the high word.

fn add64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn multiply32(a: u32, b: u32) -> vec2<u32> {
    let a0 = a & 0xffffu;
    let a1 = a >> 16u;
    let b0 = b & 0xffffu;
    let b1 = b >> 16u;
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 16u);
    let other = a0 * b1 + (middle & 0xffffu);
    return vec2<u32>((other << 16u) | (low & 0xffffu), a1 * b1 + (middle >> 16u) + (other >> 16u));
}

fn multiply64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = multiply32(a.x, b.x);
    return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
}

// a >> bits, for 0 < bits < 32
fn shift64(a: vec2<u32>, bits: u32) -> vec2<u32> {
    return vec2<u32>((a.x >> bits) | (a.y << (32u - bits)), a.y >> bits);
}

fn mix64(state: vec2<u32>) -> vec2<u32> {
    var z = state;
    z = multiply64(z ^ shift64(z, 30u), vec2<u32>(0x1CE4E5B9u, 0xBF58476Du));
    z = multiply64(z ^ shift64(z, 27u), vec2<u32>(0x133111EBu, 0x94D049BBu));
    return z ^ shift64(z, 31u);
}

// Number `k` of the stream, 64 bits.
fn stream_bits(key: vec2<u32>, k: u32) -> vec2<u32> {
    let gamma = vec2<u32>(0x7F4A7C15u, 0x9E3779B9u);
    let count = add64(vec2<u32>(k, 0u), vec2<u32>(1u, 0u));
    return mix64(add64(key, multiply64(count, gamma)));
}

// -2 ln(1 - a/2^53) for an integer a below 2^53
fn minus_two_ln(a: vec2<u32>) -> f32 {
    let scale_high = 1.0 / 2097152.0; // 2^-21
    let scale_low = scale_high / 4294967296.0;
    let x = f32(a.y) * scale_high + f32(a.x) * scale_low;
    // u = 2^53 - a
    let borrow = select(0u, 1u, a.x > 0u);
    let u = f32(0x200000u - a.y - borrow) * scale_high + f32(0u - a.x) * scale_low;
    // u = 2^k m with m from sqrt(1/2) to sqrt(2); near u = 1 the distance to 1 has all its digits
    let shifted = bitcast<u32>(u) + 0x3F800000u - 0x3F3504F3u;
    let k = f32(i32(shifted >> 23u) - 127);
    let m = bitcast<f32>((shifted & 0x007FFFFFu) + 0x3F3504F3u);
    let f = select(m - 1.0, -x, k == 0.0);
    let s = f / (2.0 + f);
    let z = s * s;
    let series = z * (0.6666666667 + z * (0.4 + z * (0.2857142857 + z * (0.2222222222 + z * 0.1818181818))));
    return -2.0 * (k * 0.6931471806 + s * (2.0 + series));
}

// sine and cosine of 2π b/2^53
fn sin_cos_of_turns(b: vec2<u32>) -> vec2<f32> {
    // the nearest quarter, and the rest from -1/8 to 1/8 of a turn
    let quarter = ((b.y >> 18u) + 1u) >> 1u;
    let rest = bitcast<i32>(b.y) - bitcast<i32>(quarter << 19u);
    let turn = (f32(rest) + f32(b.x) / 4294967296.0) / 2097152.0;
    let x = turn * 6.283185307;
    let y = x * x;
    let s = x * (1.0 + y * (-0.1666666667 + y * (0.008333333333 + y * (-0.0001984126984 + y * 0.000002755731922))));
    let c = 1.0 + y * (-0.5 + y * (0.04166666667 + y * (-0.001388888889 + y * (0.0000248015873 - y * 0.0000002755731922))));
    let odd = (quarter & 1u) == 1u;
    let sine = select(s, c, odd);
    let cosine = select(c, s, odd);
    return vec2<f32>(
        select(sine, -sine, (quarter & 2u) == 2u),
        select(cosine, -cosine, ((quarter + 1u) & 2u) == 2u),
    );
}

// Normal number `n` of the stream.
fn normal_number(key: vec2<u32>, n: u32) -> f32 {
    let a = shift64(stream_bits(key, n & 0xfffffffeu), 11u);
    let b = shift64(stream_bits(key, n | 1u), 11u);
    let circle = sin_cos_of_turns(b);
    return sqrt(minus_two_ln(a)) * select(circle.y, circle.x, (n & 1u) == 1u);
}
