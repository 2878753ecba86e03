/// What a block holds: which rows there are, or one property of them. The raw value stands in the file. The
/// lists below go by the order of the cases.
package enum BlockProperty: String, CaseIterable, Sendable {
  /// Which element has a row in which frame, and what became of it.
  case rows
  case indexSection = "index_section"
  case indexItem = "index_item"
  case centerX = "center_x"
  case centerY = "center_y"
  case width
  case height
  case alpha
  case zIndex = "z_index"
  case hidden
  /// Whether the transform is the identity (0), flat (1) or in space (2).
  case transform
  case transformA = "transform_a"
  case transformB = "transform_b"
  case transformC = "transform_c"
  case transformD = "transform_d"
  case transformTX = "transform_tx"
  case transformTY = "transform_ty"
  case transformM11 = "transform_m11"
  case transformM12 = "transform_m12"
  case transformM13 = "transform_m13"
  case transformM14 = "transform_m14"
  case transformM21 = "transform_m21"
  case transformM22 = "transform_m22"
  case transformM23 = "transform_m23"
  case transformM24 = "transform_m24"
  case transformM31 = "transform_m31"
  case transformM32 = "transform_m32"
  case transformM33 = "transform_m33"
  case transformM34 = "transform_m34"
  case transformM41 = "transform_m41"
  case transformM42 = "transform_m42"
  case transformM43 = "transform_m43"
  case transformM44 = "transform_m44"

  /// Properties that every row has but that of an element that is gone.
  static let ofPoses = Array(allCases[1...10])

  /// Properties of rows with a flat transform other than the identity.
  static let ofFlat = Array(allCases[11...16])

  /// Properties of rows with a transform in space, in the order of `Transform3D.components`.
  static let ofSpatial = Array(allCases[17...32])

  /// Whether the words are integers rather than the bits of doubles.
  var isInteger: Bool {
    switch self {
    case .rows, .indexSection, .indexItem, .zIndex, .hidden, .transform: true
    default: false
    }
  }

  /// Whether the numbers are lengths, in points.
  var isLength: Bool {
    switch self {
    case .centerX, .centerY, .width, .height, .transformTX, .transformTY, .transformM41,
      .transformM42, .transformM43:
      true
    default: false
    }
  }
}
