/* Casts the rays of a file at its triangles with Embree's coherent packets on one thread.
 *
 * usage: scan INPUT OUTPUT ROUNDS
 * INPUT, little-endian: number of triangles and of rays (u32), origin (3 f32), corners of each triangle in the
 * world frame (9 f32), unit directions (3 f32). OUTPUT: the range of each ray (f32), infinity for none. Prints
 * the shortest time of a round in milliseconds. */
#include <embree3/rtcore.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PACKET = 8 };

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return at.tv_sec * 1e3 + at.tv_nsec * 1e-6;
}

static void *read_all(FILE *file, size_t size, size_t count) {
    void *values = malloc(size * count);
    if (!values || fread(values, size, count, file) != count) {
        fprintf(stderr, "the input is too short\n");
        exit(1);
    }
    return values;
}

int main(int argc, char **argv) {
    FILE *input = argc == 4 ? fopen(argv[1], "rb") : NULL;
    if (!input) {
        fprintf(stderr, "usage: scan INPUT OUTPUT ROUNDS\n");
        return 2;
    }
    uint32_t *counts = read_all(input, sizeof(uint32_t), 2);
    uint32_t triangles = counts[0], rays = counts[1];
    float *origin = read_all(input, sizeof(float), 3);
    float *corners = read_all(input, 9 * sizeof(float), triangles);
    float *directions = read_all(input, 3 * sizeof(float), rays);
    fclose(input);

    RTCDevice device = rtcNewDevice("threads=1");
    RTCScene scene = rtcNewScene(device);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                              3 * sizeof(float), 3 * (size_t)triangles);
    uint32_t *indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                3 * sizeof(uint32_t), triangles);
    for (size_t i = 0; i < 9 * (size_t)triangles; i++) vertices[i] = corners[i];
    for (uint32_t i = 0; i < 3 * triangles; i++) indices[i] = i;
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH);
    rtcCommitScene(scene);

    float *ranges = malloc(rays * sizeof(float));
    double best = INFINITY;
    for (int round = 0; round < atoi(argv[3]); round++) {
        double start = now();
        for (uint32_t first = 0; first < rays; first += PACKET) {
            struct RTCRayHit8 packet;
            _Alignas(32) int valid[PACKET];
            for (int i = 0; i < PACKET; i++) {
                uint32_t ray = first + i < rays ? first + i : rays - 1;
                valid[i] = first + i < rays ? -1 : 0;
                packet.ray.org_x[i] = origin[0];
                packet.ray.org_y[i] = origin[1];
                packet.ray.org_z[i] = origin[2];
                packet.ray.dir_x[i] = directions[3 * ray];
                packet.ray.dir_y[i] = directions[3 * ray + 1];
                packet.ray.dir_z[i] = directions[3 * ray + 2];
                packet.ray.tnear[i] = 0;
                packet.ray.tfar[i] = INFINITY;
                packet.ray.time[i] = 0;
                packet.ray.mask[i] = -1;
                packet.ray.flags[i] = 0;
                packet.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
                packet.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
            }
            struct RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
            rtcIntersect8(valid, scene, &context, &packet);
            for (uint32_t i = 0; i < PACKET && first + i < rays; i++) {
                int is_hit = packet.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID;
                ranges[first + i] = is_hit ? packet.ray.tfar[i] : INFINITY;
            }
        }
        double time = now() - start;
        if (time < best) best = time;
    }
    FILE *output = fopen(argv[2], "wb");
    if (!output || fwrite(ranges, sizeof(float), rays, output) != rays || fclose(output)) return 1;
    printf("%.6f\n", best);
    return 0;
}
