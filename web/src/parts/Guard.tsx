import { Component, type ReactNode } from "react";
import { Failed } from "./states";

type Props = {
  /** Where one is: elsewhere the mistake is forgotten. */
  place: string;
  children: ReactNode;
};

/** A mistake within does not take the rest of the page with it. */
export class Guard extends Component<Props, { error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ place }: Props) {
    if (place !== this.props.place && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failed error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
