// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

import KymographCHeader
import TimelineModel
import TimelineStore

// The compiler compares each function of this folder with its declaration in kymograph.h, which documents it.

@implementation @c
public func kymograph_abi_version() -> Int32 {
  Int32(KYMOGRAPH_ABI_MAJOR) << 16 | Int32(KYMOGRAPH_ABI_MINOR)
}

@implementation @c
public func kymograph_version() -> UnsafePointer<CChar>! {
  UnsafeRawPointer(PackageVersion.text.utf8Start).assumingMemoryBound(to: CChar.self)
}

@implementation @c
public func kymograph_schema_version() -> Int32 {
  Int32(truncatingIfNeeded: RecordingFormat.schemaVersion)
}
