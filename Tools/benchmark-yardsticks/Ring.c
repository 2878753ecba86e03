#include "BenchmarkYardsticks.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t key;
  uint64_t time;
  double value;
} record;

struct yardstick_ring {
  record *records;
  char *bytes;
  size_t record_mask;
  size_t size;
  // On a cache line that nothing else shares, as a reader's would be.
  _Alignas(128) _Atomic uint64_t head;
};

yardstick_ring *yardstick_ring_make(size_t bytes) {
  yardstick_ring *ring = aligned_alloc(128, sizeof *ring);
  if (ring == NULL) return NULL;
  // As many records as a power of two gives that fit.
  size_t count = 1;
  while (count * 2 * sizeof(record) <= bytes) count *= 2;
  ring->bytes = malloc(bytes);
  if (ring->bytes == NULL) {
    free(ring);
    return NULL;
  }
  memset(ring->bytes, 1, bytes);
  ring->records = (record *)ring->bytes;
  ring->record_mask = count - 1;
  ring->size = bytes;
  atomic_init(&ring->head, 0);
  return ring;
}

void yardstick_ring_free(yardstick_ring *ring) {
  if (ring == NULL) return;
  free(ring->bytes);
  free(ring);
}

void yardstick_append(
    yardstick_ring *ring, int64_t first, int64_t frames, int keys, int64_t frame_nanoseconds) {
  uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
  for (int64_t frame = first; frame < first + frames; frame++) {
    uint64_t time = (uint64_t)(frame * frame_nanoseconds);
    double value = (double)frame;
    for (int key = 0; key < keys; key++) {
      record *place = &ring->records[head & ring->record_mask];
      place->key = (uint64_t)key;
      place->time = time;
      place->value = value;
      value += 1;
      head++;
      atomic_store_explicit(&ring->head, head, memory_order_release);
    }
  }
}

void yardstick_copy_frame(
    yardstick_ring *ring, const double *elements, int count, int doubles_each) {
  uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
  size_t each = (size_t)doubles_each * sizeof(double);
  size_t places = ring->size / each;
  for (int element = 0; element < count; element++) {
    memcpy(ring->bytes + head % places * each, elements + (size_t)element * doubles_each, each);
    head++;
  }
  atomic_store_explicit(&ring->head, head, memory_order_release);
}
