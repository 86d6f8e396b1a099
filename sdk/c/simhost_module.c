/*
 * The functions that a plugin in a WebAssembly module exports for its host, and the services of the host that it imports.
 *
 * Compile it with a model in C or C++ for wasm32, and not for other targets:
 *
 *   clang --target=wasm32-wasi -mexec-model=reactor -O2 -ffp-contract=off -Iinclude -Wl,--export-dynamic \
 *       model.c include/simhost_module.c -o plugins/model.wasm
 *
 * A model in a module has no files, clock and output, so a module that uses them is refused. In Rust, the SDK contains these
 * functions.
 */
#include "simhost_plugin.h"

#ifdef __wasm__

#define SIMHOST_IMPORT(name) __attribute__((import_module("simhost"), import_name(#name)))
#define SIMHOST_MODULE_EXPORT(name) __attribute__((export_name(#name)))

/* Services of the host. Pointers lead into the memory of the module. */
SIMHOST_IMPORT(offers) uint32_t simhost_host_offers(const char *id, size_t len);
SIMHOST_IMPORT(write) void simhost_host_write(const uint8_t *data, size_t len);
SIMHOST_IMPORT(image) void simhost_host_image(const simhost_image_desc *desc);
SIMHOST_IMPORT(ground)
void simhost_host_ground(size_t count, const double *x, const double *y, const double *z, double *height,
                         double *slope_x, double *slope_y);
SIMHOST_IMPORT(roads_locate)
void simhost_host_roads_locate(size_t count, const double *poses, simhost_road_point *found);
SIMHOST_IMPORT(roads_ahead)
size_t simhost_host_roads_ahead(const simhost_lane_query *from, size_t count, const double *distances,
                                simhost_road_point *found);
SIMHOST_IMPORT(roads_route)
size_t simhost_host_roads_route(uint32_t from, uint32_t to, size_t capacity, uint32_t *lanes);
SIMHOST_IMPORT(rays_cast)
void simhost_host_rays_cast(size_t lane, size_t count, const simhost_ray *rays, simhost_ray_hit *hits);
SIMHOST_IMPORT(neighbours_own) uint32_t simhost_host_neighbours_own(size_t lane);
SIMHOST_IMPORT(neighbours_query)
void simhost_host_neighbours_query(size_t lane, size_t count, const simhost_neighbour_query *queries,
                                   size_t capacity, simhost_neighbour *found, size_t *totals);
SIMHOST_IMPORT(contacts_query)
size_t simhost_host_contacts_query(size_t lane, size_t capacity, simhost_contact *found);
SIMHOST_IMPORT(classes_classify)
void simhost_host_classes_classify(size_t count, const uint32_t *entities, uint32_t *classes);
SIMHOST_IMPORT(surface_query)
void simhost_host_surface_query(size_t count, const double *points, simhost_surface_point *found);

static void ground(const void *context, size_t count, const double *x, const double *y, const double *z,
                   double *height, double *slope_x, double *slope_y) {
    (void)context;
    simhost_host_ground(count, x, y, z, height, slope_x, slope_y);
}

static void roads_locate(const void *context, size_t count, const double *poses,
                         simhost_road_point *found) {
    (void)context;
    simhost_host_roads_locate(count, poses, found);
}

static size_t roads_ahead(const void *context, const simhost_lane_query *from, size_t count,
                          const double *distances, simhost_road_point *found) {
    (void)context;
    return simhost_host_roads_ahead(from, count, distances, found);
}

static size_t roads_route(const void *context, uint32_t from, uint32_t to, size_t capacity, uint32_t *lanes) {
    (void)context;
    return simhost_host_roads_route(from, to, capacity, lanes);
}

static void rays_cast(const void *context, size_t lane, size_t count, const simhost_ray *rays,
                      simhost_ray_hit *hits) {
    (void)context;
    simhost_host_rays_cast(lane, count, rays, hits);
}

static uint32_t neighbours_own(const void *context, size_t lane) {
    (void)context;
    return simhost_host_neighbours_own(lane);
}

static void neighbours_query(const void *context, size_t lane, size_t count,
                             const simhost_neighbour_query *queries, size_t capacity,
                             simhost_neighbour *found, size_t *totals) {
    (void)context;
    simhost_host_neighbours_query(lane, count, queries, capacity, found, totals);
}

static size_t contacts_query(const void *context, size_t lane, size_t capacity, simhost_contact *found) {
    (void)context;
    return simhost_host_contacts_query(lane, capacity, found);
}

static void classes_classify(const void *context, size_t count, const uint32_t *entities, uint32_t *classes) {
    (void)context;
    simhost_host_classes_classify(count, entities, classes);
}

static void surface_query(const void *context, size_t count, const double *points,
                          simhost_surface_point *found) {
    (void)context;
    simhost_host_surface_query(count, points, found);
}

static const simhost_ground_service ground_service = {sizeof(simhost_ground_service), 0, ground};
static const simhost_roads_service roads_service = {sizeof(simhost_roads_service), 0, roads_locate,
                                                    roads_ahead, roads_route};
static const simhost_rays_service rays_service = {sizeof(simhost_rays_service), 0, rays_cast};
static const simhost_neighbours_service neighbours_service = {sizeof(simhost_neighbours_service), 0,
                                                              neighbours_own, neighbours_query};
static const simhost_contacts_service contacts_service = {sizeof(simhost_contacts_service), 0,
                                                          contacts_query};
static const simhost_classes_service classes_service = {sizeof(simhost_classes_service), 0,
                                                        classes_classify};
static const simhost_surface_service surface_service = {sizeof(simhost_surface_service), 0, surface_query};

static int is_same(simhost_str id, const char *name) {
    size_t k = 0;
    while (k < id.len && name[k] != '\0' && id.data[k] == name[k]) {
        k++;
    }
    return k == id.len && name[k] == '\0';
}

static const void *table(simhost_str id) {
    if (is_same(id, SIMHOST_GROUND_SERVICE)) return &ground_service;
    if (is_same(id, SIMHOST_ROADS_SERVICE)) return &roads_service;
    if (is_same(id, SIMHOST_RAYS_SERVICE)) return &rays_service;
    if (is_same(id, SIMHOST_NEIGHBOURS_SERVICE)) return &neighbours_service;
    if (is_same(id, SIMHOST_CONTACTS_SERVICE)) return &contacts_service;
    if (is_same(id, SIMHOST_CLASSES_SERVICE)) return &classes_service;
    if (is_same(id, SIMHOST_SURFACE_SERVICE)) return &surface_service;
    return NULL;
}

static const void *find(const void *context, simhost_str id) {
    const void *found = table(id);
    (void)context;
    return found != NULL && simhost_host_offers(id.data, id.len) != 0 ? found : NULL;
}

static const simhost_services services = {sizeof(simhost_services), 0, NULL, find};

static void pass_on(void *sink, const uint8_t *data, size_t len) {
    (void)sink;
    simhost_host_write(data, len);
}

static void pass_image_on(void *sink, const simhost_image_desc *desc) {
    (void)sink;
    simhost_host_image(desc);
}

/* Returns the services of the host for calls. */
SIMHOST_MODULE_EXPORT(simhost_services) const simhost_services *simhost_module_services(void) {
    return &services;
}

/* Calls a function of a model, or of one of its tables; so do all functions below. */
SIMHOST_MODULE_EXPORT(simhost_create)
uint32_t simhost_module_create(const simhost_model *model, const simhost_value *values, size_t count,
                               void **handle, simhost_fault *fault) {
    simhost_value_slice slice = {values, count};
    return model->create(slice, handle, fault);
}

SIMHOST_MODULE_EXPORT(simhost_arrange)
uint32_t simhost_module_arrange(const simhost_model *model, const void *handle,
                                simhost_wheel_geometry *wheels, size_t count, simhost_fault *fault) {
    return model->arrange == NULL ? SIMHOST_FAULT_NONE : model->arrange(handle, wheels, count, fault);
}

SIMHOST_MODULE_EXPORT(simhost_capacity)
size_t simhost_module_capacity(const simhost_model *model, const void *handle) {
    return model->capacity == NULL ? 0 : model->capacity(handle);
}

SIMHOST_MODULE_EXPORT(simhost_ability)
const void *simhost_module_ability(const simhost_model *model, const char *id, size_t len) {
    simhost_str text = {id, len};
    return model->ability == NULL ? NULL : model->ability(text);
}

SIMHOST_MODULE_EXPORT(simhost_call)
uint32_t simhost_module_call(const simhost_phase *phase, const void *handle, const simhost_batch *batch,
                             simhost_fault *fault) {
    return phase->call(handle, batch, fault);
}

SIMHOST_MODULE_EXPORT(simhost_memory_create)
uint32_t simhost_module_memory_create(const simhost_memory_table *memories, const void *handle, void **memory,
                                      simhost_fault *fault) {
    return memories->create(handle, memory, fault);
}

SIMHOST_MODULE_EXPORT(simhost_memory_destroy)
void simhost_module_memory_destroy(const simhost_memory_table *memories, void *memory) {
    memories->destroy(memory);
}

SIMHOST_MODULE_EXPORT(simhost_memory_save)
uint32_t simhost_module_memory_save(const simhost_memory_table *memories, const void *memory,
                                    simhost_fault *fault) {
    return memories->save(memory, NULL, pass_on, fault);
}

SIMHOST_MODULE_EXPORT(simhost_memory_load)
uint32_t simhost_module_memory_load(const simhost_memory_table *memories, const void *handle, uint32_t schema,
                                    const uint8_t *bytes, size_t len, void **memory, simhost_fault *fault) {
    simhost_byte_slice slice = {bytes, len};
    return memories->load(handle, schema, slice, memory, fault);
}

SIMHOST_MODULE_EXPORT(simhost_migrate)
uint32_t simhost_module_migrate(const simhost_migrate_table *migration, const void *handle, uint32_t schema,
                                const simhost_str *names, const double *values, size_t count, double *slots,
                                simhost_fault *fault) {
    simhost_str_slice all_names = {names, count};
    simhost_f64_slice all_values = {values, count};
    return migration->migrate(handle, schema, all_names, all_values, slots, fault);
}

SIMHOST_MODULE_EXPORT(simhost_is_spatial)
uint32_t simhost_module_is_spatial(const simhost_spatial_table *spatial, const void *handle) {
    return spatial->is_spatial(handle);
}

SIMHOST_MODULE_EXPORT(simhost_warnings)
void simhost_module_warnings(const simhost_warnings_table *warnings, const void *handle,
                             const simhost_wheel_use *wheels, size_t count) {
    simhost_wheel_use_slice slice = {wheels, count};
    warnings->write(handle, slice, NULL, pass_on);
}

SIMHOST_MODULE_EXPORT(simhost_images)
void simhost_module_images(const simhost_images_table *images, const void *handle) {
    images->images(handle, NULL, pass_image_on);
}

#else
/* A library has no need for these functions. */
typedef int simhost_module_is_for_wasm_only;
#endif
