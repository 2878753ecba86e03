#ifndef KYMOGRAPH_THREAD_H
#define KYMOGRAPH_THREAD_H

#include <pthread.h>
#include <stdint.h>

// Who is calling: a number that no other living thread has, never 0. Linux keeps it in a register, and
// reading that is one instruction instead of a call with other registers saved around it. The instruction
// is volatile, since an asynchronous function may go on in another thread than it began in.
static inline uintptr_t kymograph_thread_number(void) {
#if defined(__linux__) && defined(__x86_64__)
  uintptr_t number;
  __asm__ volatile("mov %%fs:0, %0" : "=r"(number));
  return number;
#elif defined(__linux__) && defined(__aarch64__)
  uintptr_t number;
  __asm__ volatile("mrs %0, tpidr_el0" : "=r"(number));
  return number;
#else
  return (uintptr_t)pthread_self();
#endif
}

// The same word, of which a compiler knows no more. Two neighbours in memory are then loaded one by one: a load
// of both waits until the two stores before it have left the processor's queue.
static inline uint64_t kymograph_word(uint64_t word) {
#if defined(__GNUC__)
  __asm__("" : "+r"(word));
#endif
  return word;
}

#endif
