#if KYMO_FUZZ
  import Foundation

  /// The target that the fuzzer runs, named by the variable KYMO_FUZZ_TARGET.
  private let chosenTarget: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["KYMO_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
      fatalError("KYMO_FUZZ_TARGET is \"\(name)\", and must be one of \(names).")
    }
    return target
  }()

  /// What libFuzzer calls with each input.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    chosenTarget.take(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  }
#endif
