// example begins
import KymographUIKit
import UIKit

/// Records a card that an animator opens, whoever holds it in between.
@MainActor func record(_ card: UIView, openedBy animator: UIViewPropertyAnimator, in view: UIView)
  throws
  -> KymographRecording
{
  let redaction = Redaction(hashesItems: true, salt: "known to nobody else")
  let recording = try KymographRecording(named: "card", in: view, redaction: redaction)
  recording.watch(card, as: "card")
  recording.follow(animator, as: "card")
  return recording
}
// example ends
