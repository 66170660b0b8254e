/** Tells when an element comes near to what its reader sees, or is to be printed: what it shows can wait until then. */

import type { ReactiveController, ReactiveControllerHost } from "lit";

/** How near, in heights of what is seen. */
const margin = "200%";

export class Nearby implements ReactiveController {
  private observer: IntersectionObserver | undefined;
  private hasArrived = false;
  private readonly arrive = () => {
    this.hasArrived = true;
    this.hostDisconnected();
    this.arrived();
  };

  /** @param arrived called once */
  constructor(
    private readonly host: ReactiveControllerHost & Element,
    private readonly arrived: () => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    if (this.hasArrived) return;
    this.observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.arrive(), {
      rootMargin: `${margin} 0px`,
    });
    this.observer.observe(this.host);
    addEventListener("beforeprint", this.arrive);
  }

  hostDisconnected(): void {
    this.observer?.disconnect();
    removeEventListener("beforeprint", this.arrive);
  }
}
