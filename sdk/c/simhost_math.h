/* Transcendental functions that return the same bits on every platform: those of `simhost_sdk::math`.
 *
 * The functions of <math.h> differ between C libraries, so that a model that uses them has other results on another
 * machine. sqrt, fabs, fmin, fmax, floor and ceil are exact everywhere, and stay those of <math.h>.
 *
 * Compile with -ffp-contract=off, as the projects of `simhost plugin new` do, and without -ffast-math.
 * Coefficients: Moshier, Cephes library (1989). simhost_pow: FreeBSD's e_pow.c, Copyright (C) 2004 by Sun
 * Microsystems, Inc. Permission to use, copy, modify, and distribute this software is freely granted, provided that
 * this notice is preserved. */
#ifndef SIMHOST_MATH_H
#define SIMHOST_MATH_H

#ifdef __FAST_MATH__
#error "simhost_math.h needs a compiler that keeps the order of operations: leave out -ffast-math"
#endif

#include <math.h>
#include <stdint.h>
#include <string.h>

/* One degree in rad. */
#define SIMHOST_DEGREE 0.017453292519943295
#define SIMHOST_PI 3.141592653589793
#define SIMHOST_HALF_PI 1.5707963267948966
/* Adding this number rounds to an integer and leaves that integer in the low bits. */
#define SIMHOST_ROUND 6755399441055744.0

static inline uint64_t simhost_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double simhost_from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* e to the power of x, 0 below -708 and e^708 above 708. Relative error below 2e-16. */
static inline double simhost_exp(double x) {
    const double limited = x < -708.0 ? -708.0 : x > 708.0 ? 708.0 : x;
    const double shifted = limited * 1.4426950408889634 + SIMHOST_ROUND;
    const double n = shifted - SIMHOST_ROUND;
    const double r = (limited - n * 6.93145751953125e-1) - n * 1.4286068203094172e-6;
    const double rr = r * r;
    const double p = r * ((1.2617719307481059e-4 * rr + 3.0299440770744196e-2) * rr + 1.0);
    const double q =
        ((3.0019850513866446e-6 * rr + 2.524483403496841e-3) * rr + 2.27265548208155e-1) * rr + 2.0;
    const double fraction = 1.0 + 2.0 * (p / (q - p));
    const double result = fraction * simhost_from_bits((simhost_bits(shifted) + 1023) << 52);
    return x < -708.0 ? 0.0 : result;
}

/* Hyperbolic tangent. Error below 3e-16. */
static inline double simhost_tanh(double x) {
    const double a = fabs(x), z = x * x;
    const double p = (-9.643991794250523e-1 * z + -9.928772310019186e1) * z + -1.6146876844170845e3;
    const double q = ((1.0 * z + 1.1281167849163293e2) * z + 2.2354883906010045e3) * z + 4.844063053251255e3;
    const double small = x + x * z * (p / q);
    const double large = copysign(1.0 - 2.0 / (simhost_exp(2.0 * a) + 1.0), x);
    return a < 0.625 ? small : large;
}

/* Arc tangent, rad. Error below 3e-16. */
static inline double simhost_atan(double x) {
    const double a = fabs(x), more_bits = 6.123233995736766e-17;
    const int high = a > 2.414213562373095, middle = a > 0.66;
    const double t = (high ? -1.0 : middle ? a - 1.0 : a) / (high ? a : middle ? a + 1.0 : 1.0);
    const double base = high ? SIMHOST_HALF_PI : middle ? 0.5 * SIMHOST_HALF_PI : 0.0;
    const double low = high ? more_bits : middle ? 0.5 * more_bits : 0.0;
    const double z = t * t;
    const double p = (((-8.750608600031904e-1 * z + -1.615753718733365e1) * z + -7.500855792314705e1) * z +
                      -1.2288666844901362e2) * z + -6.485021904942025e1;
    const double q = ((((1.0 * z + 2.4858464901423063e1) * z + 1.6502700983169885e2) * z +
                       4.3288106049129027e2) * z + 4.853903996359137e2) * z + 1.945506571482614e2;
    return copysign(base + (t * z * (p / q) + t + low), x);
}

/* Angle of the point (x, y), rad, in -pi to pi; 0 at the origin. */
static inline double simhost_atan2(double y, double x) {
    const double angle = simhost_atan(y / (x == 0.0 ? 1.0 : x));
    const double vertical = y == 0.0 ? 0.0 : copysign(SIMHOST_HALF_PI, y);
    const double turned = angle + (x < 0.0 ? copysign(SIMHOST_PI, y) : 0.0);
    return x == 0.0 ? vertical : turned;
}

/* Sine and cosine of an angle in rad. Error below 3e-16 for |x| < 1e5. The argument should not exceed 1e9. */
static inline void simhost_sin_cos(double x, double *sine, double *cosine) {
    const double shifted = x * 0.6366197723675814 + SIMHOST_ROUND;
    const double n = shifted - SIMHOST_ROUND;
    const uint64_t quadrant = simhost_bits(shifted);
    const double r = ((x - n * 1.570796251296997) - n * 7.549789415861596e-8) - n * 5.39030285815813e-15;
    const double z = r * r;
    const double ps = ((((1.5896230157654657e-10 * z + -2.5050747762857807e-8) * z + 2.7557313621385725e-6) * z +
                        -1.984126982958954e-4) * z + 8.333333333322118e-3) * z + -1.666666666666663e-1;
    const double pc = ((((-1.1358536521387682e-11 * z + 2.087570084197473e-9) * z + -2.755731417929674e-7) * z +
                        2.4801587288851705e-5) * z + -1.3888888888873056e-3) * z + 4.166666666666659e-2;
    const double s = r + r * z * ps, c = 1.0 - 0.5 * z + z * z * pc;
    const double first = (quadrant & 1) == 0 ? s : c, second = (quadrant & 1) == 0 ? c : -s;
    *sine = (quadrant & 2) == 0 ? first : -first;
    *cosine = (quadrant & 2) == 0 ? second : -second;
}

/* Sine of an angle in rad. */
static inline double simhost_sin(double x) {
    double sine, cosine;
    simhost_sin_cos(x, &sine, &cosine);
    return sine;
}

/* Cosine of an angle in rad. */
static inline double simhost_cos(double x) {
    double sine, cosine;
    simhost_sin_cos(x, &sine, &cosine);
    return cosine;
}

/* Tangent of an angle in rad. */
static inline double simhost_tan(double x) {
    double sine, cosine;
    simhost_sin_cos(x, &sine, &cosine);
    return sine / cosine;
}

/* Square root, which is exact everywhere. */
static inline double simhost_sqrt(double x) { return sqrt(x); }

static inline double simhost_low_0(double x) { return simhost_from_bits(simhost_bits(x) & 0xffffffff00000000u); }
static inline int32_t simhost_high(double x) { return (int32_t)(uint32_t)(simhost_bits(x) >> 32); }
static inline double simhost_with_high(double x, uint32_t high) {
    return simhost_from_bits((simhost_bits(x) & 0xffffffffu) | (uint64_t)high << 32);
}

/* x to the power of y. */
static inline double simhost_pow(double x, double y) {
    static const double bp[] = {1.0, 1.5}, dp_h[] = {0.0, 5.84962487220764160156e-01},
                        dp_l[] = {0.0, 1.35003920212974897128e-08};
    const double huge = 1.0e300, tiny = 1.0e-300, cp = 9.61796693925975554329e-01,
                 cp_h = 9.61796700954437255859e-01, cp_l = -7.02846165095275826516e-09,
                 ivln2 = 1.44269504088896338700e+00, ivln2_h = 1.44269502162933349609e+00,
                 ivln2_l = 1.92596299112661746887e-08;
    const int32_t hx = simhost_high(x), hy = simhost_high(y), iy = hy & 0x7fffffff;
    const uint32_t lx = (uint32_t)simhost_bits(x), ly = (uint32_t)simhost_bits(y);
    int32_t ix = hx & 0x7fffffff, is_int = 0; /* 1 for an odd y, 2 for an even one */
    double ax = fabs(x), s = 1.0, t1, t2;
    if (((uint32_t)iy | ly) == 0 || (hx == 0x3ff00000 && lx == 0)) return 1.0;
    if (x != x || y != y) return x + y;
    if (hx < 0) {
        if (iy >= 0x43400000) {
            is_int = 2;
        } else if (iy >= 0x3ff00000) {
            const int32_t k = (iy >> 20) - 0x3ff;
            if (k > 20) {
                const uint32_t j = ly >> (52 - k);
                if (j << (52 - k) == ly) is_int = 2 - (int32_t)(j & 1);
            } else if (ly == 0) {
                const int32_t j = iy >> (20 - k);
                if (j << (20 - k) == iy) is_int = 2 - (j & 1);
            }
        }
    }
    if (ly == 0) {
        if (iy == 0x7ff00000) {
            if (((ix - 0x3ff00000) | (int32_t)lx) == 0) return 1.0;
            if (ix >= 0x3ff00000) return hy >= 0 ? y : 0.0;
            return hy >= 0 ? 0.0 : -y;
        }
        if (iy == 0x3ff00000) return hy >= 0 ? x : 1.0 / x;
        if (hy == 0x40000000) return x * x;
        if (hy == 0x3fe00000 && hx >= 0) return sqrt(x);
    }
    if (lx == 0 && (ix == 0x7ff00000 || ix == 0 || ix == 0x3ff00000)) {
        double z = hy < 0 ? 1.0 / ax : ax;
        if (hx < 0) {
            if (((ix - 0x3ff00000) | is_int) == 0) z = (z - z) / (z - z);
            else if (is_int == 1) z = -z;
        }
        return z;
    }
    if (hx < 0) {
        if (is_int == 0) return (x - x) / (x - x);
        if (is_int == 1) s = -1.0;
    }
    if (iy > 0x41e00000) {
        double t, u, v, w;
        if (iy > 0x43f00000) {
            if (ix <= 0x3fefffff) return hy < 0 ? huge * huge : tiny * tiny;
            return hy > 0 ? huge * huge : tiny * tiny;
        }
        if (ix < 0x3fefffff) return hy < 0 ? s * huge * huge : s * tiny * tiny;
        if (ix > 0x3ff00000) return hy > 0 ? s * huge * huge : s * tiny * tiny;
        t = ax - 1.0;
        w = (t * t) * (0.5 - t * (0.3333333333333333333333 - t * 0.25));
        u = ivln2_h * t;
        v = t * ivln2_l - w * ivln2;
        t1 = simhost_low_0(u + v);
        t2 = v - (t1 - u);
    } else {
        double u, v, ss, s_h, s_l, t_h, t_l, s2, r, p_h, p_l, z_h, z_l, t;
        int32_t n = 0, j, k;
        if (ix < 0x00100000) {
            ax *= 9007199254740992.0;
            n -= 53;
            ix = simhost_high(ax);
        }
        n += (ix >> 20) - 0x3ff;
        j = ix & 0x000fffff;
        ix = j | 0x3ff00000;
        k = j > 0x3988E && j < 0xBB67A;
        if (j >= 0xBB67A) {
            n += 1;
            ix -= 0x00100000;
        }
        ax = simhost_with_high(ax, (uint32_t)ix);
        u = ax - bp[k];
        v = 1.0 / (ax + bp[k]);
        ss = u * v;
        s_h = simhost_low_0(ss);
        t_h = simhost_with_high(0.0, (((uint32_t)ix >> 1) | 0x20000000u) + 0x00080000u + ((uint32_t)k << 18));
        t_l = ax - (t_h - bp[k]);
        s_l = v * ((u - s_h * t_h) - s_h * t_l);
        s2 = ss * ss;
        r = s2 * s2 * (5.99999999999994648725e-01 + s2 * (4.28571428578550184252e-01 +
            s2 * (3.33333329818377432918e-01 + s2 * (2.72728123808534006489e-01 +
            s2 * (2.30660745775561754067e-01 + s2 * 2.06975017800338417784e-01)))));
        r += s_l * (s_h + ss);
        s2 = s_h * s_h;
        t_h = simhost_low_0(3.0 + s2 + r);
        t_l = r - ((t_h - 3.0) - s2);
        u = s_h * t_h;
        v = s_l * t_h + t_l * ss;
        p_h = simhost_low_0(u + v);
        p_l = v - (p_h - u);
        z_h = cp_h * p_h;
        z_l = cp_l * p_h + p_l * cp + dp_l[k];
        t = (double)n;
        t1 = simhost_low_0(((z_h + z_l) + dp_h[k]) + t);
        t2 = z_l - (((t1 - t) - dp_h[k]) - z_h);
    }
    {
        const double y1 = simhost_low_0(y), p_l = (y - y1) * t1 + y * t2;
        double p_h = y1 * t1, z = p_l + p_h, t, u, v, w, r;
        int32_t j = simhost_high(z), n = 0, k;
        const int32_t low = (int32_t)(uint32_t)simhost_bits(z), i = j & 0x7fffffff;
        if (j >= 0x40900000) {
            if (((j - 0x40900000) | low) != 0 || p_l + 8.0085662595372944372e-017 > z - p_h) return s * huge * huge;
        } else if (i >= 0x4090cc00) {
            if ((((uint32_t)j - 0xc090cc00u) | (uint32_t)low) != 0 || p_l <= z - p_h) return s * tiny * tiny;
        }
        k = (i >> 20) - 0x3ff;
        if (i > 0x3fe00000) {
            n = j + (0x00100000 >> (k + 1));
            k = ((n & 0x7fffffff) >> 20) - 0x3ff;
            p_h -= simhost_with_high(0.0, (uint32_t)(n & ~(0x000fffff >> k)));
            n = ((n & 0x000fffff) | 0x00100000) >> (20 - k);
            if (j < 0) n = -n;
        }
        t = simhost_low_0(p_l + p_h);
        u = t * 6.93147182464599609375e-01;
        v = (p_l - (t - p_h)) * 6.93147180559945286227e-01 + t * -1.90465429995776804525e-09;
        z = u + v;
        w = v - (z - u);
        t = z * z;
        t1 = z - t * (1.66666666666666019037e-01 + t * (-2.77777777770155933842e-03 + t * (6.61375632143793436117e-05 +
            t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
        r = (z * t1) / (t1 - 2.0) - (w + z * w);
        z = 1.0 - (r - z);
        j = simhost_high(z) + (int32_t)((uint32_t)n << 20);
        if (j >> 20 <= 0) { /* a subnormal number */
            if (n < -1022) {
                z *= simhost_from_bits((uint64_t)(0x3ff - 969) << 52);
                n += 969;
            }
            z *= simhost_from_bits((uint64_t)(0x3ff + n) << 52);
        } else {
            z = simhost_with_high(z, (uint32_t)j);
        }
        return s * z;
    }
}

#endif
